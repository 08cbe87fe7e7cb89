import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder that only this test uses. `remove` deletes it with all that is in it. */
export function createTempDir(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "troupe-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
