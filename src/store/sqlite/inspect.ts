import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { keep, type Load, loadBetterSqlite, openDriver } from "./driver.js";
import { storeErrorOf, unwritable } from "./errors.js";
import { knownLayout, MIGRATIONS } from "./migrate.js";

/** What a store is found to be. */
export interface StoreReport {
  /** Nothing has been stored yet. */
  readonly isNew: boolean;
  /** The layout of the file, and the one that a start brings it to. */
  readonly layout: number;
  readonly newest: number;
  /** On the disk, for this user. */
  readonly freeBytes: number;
}

/**
 * Looks whether a service could open the store in this folder, and makes and changes nothing. Rejects with a `StoreError` that
 * names the mend: it is in use, not writable, damaged, of a newer program, or its native part is missing.
 */
export async function inspectStore(dataDir: string, load: Load = loadBetterSqlite): Promise<StoreReport> {
  const isNew = !existsSync(join(dataDir, "troupe.db"));
  const layout = isNew ? await requireMakable(dataDir, load) : await layoutOf(dataDir, load);
  const { bavail, bsize } = statfsSync(nearestFolder(dataDir));
  return { isNew, layout, newest: MIGRATIONS.length, freeBytes: bavail * bsize };
}

async function layoutOf(dataDir: string, load: Load): Promise<number> {
  const driver = await openDriver(dataDir, load);
  try {
    return driver.use(() => knownLayout(driver));
  } finally {
    driver.close();
  }
}

async function requireMakable(dataDir: string, load: Load): Promise<number> {
  try {
    accessSync(nearestFolder(dataDir), constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unwritable(dataDir, cause);
  }
  try {
    const Library = await load();
    keep(new Library(":memory:")).close();
  } catch (error) {
    throw storeErrorOf(error, dataDir);
  }
  return 0;
}

/** The folder itself, or the nearest above it that is there. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
