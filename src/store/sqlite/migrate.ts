import { rmSync } from "node:fs";
import { StoreError } from "../../domain/errors.js";
import type { Driver } from "./driver.js";
import { initial } from "./migrations/0001-initial.js";
import type { Migration } from "./migrations/migration.js";

/**
 * In order, numbered from 1 without gaps. A new kind or version of entry takes a number too, be it without a statement: an older
 * program then refuses the file instead of running past entries that it cannot read.
 */
export const MIGRATIONS: readonly Migration[] = [initial];

/**
 * Brings the file to the newest layout, in one transaction, after copying it to `troupe.db.layout-<n>` beside it. Throws
 * `store_newer`, having written nothing, for a file whose layout this program does not know.
 */
export function migrate(driver: Driver, migrations: readonly Migration[] = MIGRATIONS): void {
  const newest = migrations.length;
  const layout = knownLayout(driver, newest);
  if (layout > 0 && layout < newest) copy(driver, `${driver.file}.layout-${layout}`);
  driver.exec("PRAGMA journal_mode = WAL");
  if (layout === newest) return;
  driver.write(true, () => {
    for (const { sql } of migrations.slice(layout)) driver.exec(sql);
    driver.exec(`PRAGMA user_version = ${newest}`);
  });
}

/** The file's layout. Throws `store_newer` for one that this program does not know. */
export function knownLayout(driver: Driver, newest: number = MIGRATIONS.length): number {
  const layout = driver.layout();
  if (layout <= newest) return layout;
  throw new StoreError(
    "store_newer",
    `${driver.file} was written by a newer Troupe (layout ${layout}, this one knows ${newest}): update Troupe, or choose another folder with --data`,
  );
}

// Copied by the database itself: opening and closing its file would drop this process's lock on it.
function copy(driver: Driver, target: string): void {
  rmSync(target, { force: true });
  driver.prepare<[string]>("VACUUM INTO ?").run(target);
}
