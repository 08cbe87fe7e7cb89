import type { Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SlackFile } from "./model.js";
import type { Workspace } from "./workspace.js";

/** A file as a test puts it in. */
export interface FileSeed {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  readonly mimetype?: string;
  readonly title?: string;
  /** Stands on another host, and is only linked to. */
  readonly isExternal?: boolean;
  /** The download redirects to another host. */
  readonly redirectsAway?: boolean;
  /** The event names it only by its id, as it does in shared channels. */
  readonly isChecked?: boolean;
}

/** A download as it was asked for, here or on the other host. */
export interface Download {
  readonly host: "slack" | "foreign";
  readonly file: string;
  /** The app whose token came along; `unknown` for a token of nobody. */
  readonly token: string | undefined;
  readonly status: number;
}

/** The files of the team, the uploads under way, and a host that is not Slack's. */
export interface Files {
  readonly downloads: Download[];
  add(seed: FileSeed, ownerId: string): SlackFile;
  find(id: string): SlackFile | undefined;
  /** Waits for the bytes of an upload. */
  expect(upload: { readonly name: string; readonly length: number; readonly ownerId: string }): string;
  /** Takes the bytes; `false` for an upload that nobody has announced or that is of another length. */
  receive(id: string, bytes: Uint8Array): boolean;
  /** The uploaded file, once; nothing while its bytes are missing. */
  take(id: string, title: string | undefined): SlackFile | undefined;
  close(): Promise<void>;
}

const MIMETYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  txt: "text/plain",
  md: "text/markdown",
  pdf: "application/pdf",
};

export async function createFiles(
  workspace: Workspace,
  nameOfToken: (header: string | undefined) => string | undefined,
): Promise<Files> {
  const files = new Map<string, SlackFile>();
  const expected = new Map<string, { name: string; length: number; ownerId: string }>();
  const uploaded = new Map<string, SlackFile>();
  const downloads: Download[] = [];
  const foreign = await startForeign((file, header) => {
    downloads.push({ host: "foreign", file, token: nameOfToken(header), status: 200 });
  });

  function store(id: string, seed: FileSeed, ownerId: string): SlackFile {
    const filetype = seed.name.split(".").at(-1) ?? "text";
    const away = `${foreign.url}/${encodeURIComponent(seed.name)}`;
    const file: SlackFile = {
      id,
      name: seed.name,
      title: seed.title ?? seed.name,
      mimetype: seed.mimetype ?? MIMETYPES[filetype] ?? "application/octet-stream",
      filetype,
      ownerId,
      bytes: typeof seed.bytes === "string" ? Buffer.from(seed.bytes) : seed.bytes,
      ...(seed.isExternal ? { externalUrl: away } : {}),
      ...(seed.redirectsAway ? { redirectsTo: away } : {}),
      ...(seed.isChecked ? { isChecked: true } : {}),
      shares: [],
    };
    files.set(id, file);
    return file;
  }

  return {
    downloads,
    add: (seed, ownerId) => store(workspace.mintId("F"), seed, ownerId),
    find: (id) => files.get(id),
    expect(upload) {
      const id = workspace.mintId("F");
      expected.set(id, upload);
      return id;
    },
    receive(id, bytes) {
      const upload = expected.get(id);
      if (!upload || upload.length !== bytes.byteLength) return false;
      expected.delete(id);
      uploaded.set(id, store(id, { name: upload.name, bytes }, upload.ownerId));
      return true;
    },
    take(id, title) {
      const file = uploaded.get(id);
      uploaded.delete(id);
      if (!file) return undefined;
      const titled = { ...file, title: title ?? file.title };
      files.set(id, titled);
      return titled;
    },
    close: foreign.close,
  };
}

/** A host of somebody else: it answers everything, and notes who came with a token. */
async function startForeign(onRequest: (file: string, authorization: string | undefined) => void) {
  const server: Server = createServer((request, response) => {
    onRequest(decodeURIComponent((request.url ?? "/").slice(1)), request.headers.authorization);
    response.end("bytes of somebody else");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server's address is never a path.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
