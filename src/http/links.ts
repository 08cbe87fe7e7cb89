/** What the printed link to the web room depends on. */
export interface RoomLinkOptions {
  readonly url: string;
  readonly key: string;
  /** Standard output is a terminal. */
  readonly tty: boolean;
  readonly adminTokenSet: boolean;
  /** TROUPE_PRINT_KEY=1: print the key although standard output goes to a file or a pipe. */
  readonly printKey: boolean;
}

/**
 * The link to print at start. The key stands in the fragment, which browsers never send; it is left out when the operator
 * chose it (and so knows it), and where the output may be kept.
 */
export function roomLink({ url, key, tty, adminTokenSet, printKey }: RoomLinkOptions): string {
  const page = `${url.replace(/\/+$/, "")}/`;
  const shown = !adminTokenSet && (tty || printKey);
  return shown ? `${page}#key=${encodeURIComponent(key)}` : page;
}
