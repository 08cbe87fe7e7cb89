import { open, stat } from "node:fs/promises";
import { relative, sep } from "node:path";

/** The text of a file, or why it cannot be had, in words that complete "FILE …". */
export type ReadResult = { readonly text: string } | { readonly fault: string; readonly mend?: string };

/** Reads a UTF-8 file of at most `maxBytes`; a byte order mark is dropped. Never throws, and never reads more than the limit. */
export async function readText(path: string, maxBytes: number): Promise<ReadResult> {
  try {
    // Asked before opening: to open a pipe would wait for its writer.
    const found = await stat(path);
    if (!found.isFile()) return { fault: "is no file", mend: "name a file" };
    const file = await open(path, "r");
    try {
      const buffer = Buffer.alloc(Math.min(found.size, maxBytes) + 1);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      if (bytesRead > maxBytes || found.size > maxBytes) {
        return { fault: `is larger than ${maxBytes / 1024} KiB`, mend: "shorten it" };
      }
      return { text: new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, bytesRead)) };
    } finally {
      await file.close();
    }
  } catch (error) {
    return faultOf(error);
  }
}

function faultOf(error: unknown): ReadResult {
  if (error instanceof TypeError) return { fault: "is not UTF-8 text", mend: "save it as UTF-8" };
  switch (codeOf(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return { fault: "does not exist", mend: "check the path" };
    case "EACCES":
    case "EPERM":
      return { fault: "may not be read", mend: "give the service's user the right to read it" };
    default:
      return { fault: `cannot be read (${codeOf(error)})`, mend: "check the path" };
  }
}

/** The system's code of an error, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

/** A path as the operator would write it: relative inside the working folder, else absolute. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short.startsWith(`..${sep}`) || short === ".." ? path : short;
}
