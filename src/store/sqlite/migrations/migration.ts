/** One step forward of the file's layout. Once released, it never changes. */
export interface Migration {
  /** The layout that the file has afterwards. */
  readonly layout: number;
  readonly sql: string;
}
