import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreError } from "../../src/domain/errors.js";
import { keep, type Load, openDriver } from "../../src/store/sqlite/driver.js";
import { MIGRATIONS, migrate } from "../../src/store/sqlite/migrate.js";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { appendAll, ROOM } from "../contract/store/harness.js";
import { noticeDraft, personDraft } from "../support/drafts.js";
import { createTempDir } from "../support/temp-dir.js";
import { spawnWorker } from "./workers/spawn-worker.js";

let folder: ReturnType<typeof createTempDir>;
beforeEach(() => {
  folder = createTempDir();
});
afterEach(() => folder.remove());

const file = () => join(folder.path, "troupe.db");
/** The one value that a query gives. */
function value(database: Database.Database, sql: string): unknown {
  return keep(database.prepare(sql)).pluck().get();
}
/** Works on the closed file as another program would. */
function tamper(work: (database: Database.Database) => void): void {
  const database = keep(new Database(file()));
  work(database);
  database.close();
}
async function filled(): Promise<void> {
  const store = createSqliteStore({ dataDir: folder.path });
  await store.open();
  await appendAll(store, ROOM, [personDraft("a"), noticeDraft("b")]);
  await store.close();
}
async function refusalOf(open: Promise<unknown>): Promise<StoreError> {
  const error = await open.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreError)) throw new Error(`expected a StoreError, got ${String(error)}`);
  return error;
}

describe("Opening the SQLite store", () => {
  it("makes the folder, and leaves one file when it closes", async () => {
    const dataDir = join(folder.path, "deep", "data");
    const store = createSqliteStore({ dataDir });
    await store.open();
    await store.close();

    expect(readdirSync(dataDir)).toEqual(["troupe.db"]);
  });

  it("refuses a folder that a running store has, naming the folder and the mend, and works once that is closed", async () => {
    const first = createSqliteStore({ dataDir: folder.path });
    const second = createSqliteStore({ dataDir: folder.path });
    await first.open();

    const error = await refusalOf(second.open());
    expect(error.code).toBe("store_in_use");
    expect(error.message).toBe(
      `the data folder ${folder.path} is in use by another process: stop that process, or choose another folder with --data`,
    );

    await appendAll(first, ROOM, [personDraft("a")]);
    await first.close();
    await second.open();
    expect(await second.find(ROOM, "a")).toBeDefined();
    await second.close();
  });

  it("refuses a file of a newer layout and leaves it as it was", async () => {
    await filled();
    tamper((database) => database.exec("PRAGMA user_version = 99"));

    const error = await refusalOf(createSqliteStore({ dataDir: folder.path }).open());

    expect(error.code).toBe("store_newer");
    expect(error.message).toContain("update Troupe, or choose another folder with --data");
    tamper((database) => {
      expect(value(database, "PRAGMA user_version")).toBe(99);
      expect(value(database, "SELECT value FROM meta WHERE name = 'epoch'")).toBe(1);
    });
  });

  it("refuses a file that is no database", async () => {
    writeFileSync(file(), "these are words, not pages. ".repeat(400));

    const error = await refusalOf(createSqliteStore({ dataDir: folder.path }).open());

    expect(error.code).toBe("store_corrupt");
    expect(error.message).toContain(`troupe.db in the data folder ${folder.path}`);
  });

  it("refuses a folder whose place a file takes", async () => {
    const dataDir = join(folder.path, "taken");
    writeFileSync(dataDir, "");

    const error = await refusalOf(createSqliteStore({ dataDir }).open());

    expect(error.code).toBe("store_unwritable");
    expect(error.message).toContain(dataDir);
  });

  it.skipIf(process.platform !== "linux")("refuses a folder that the system lets nobody make", async () => {
    const error = await refusalOf(createSqliteStore({ dataDir: "/proc/new/data" }).open());

    expect(error.code).toBe("store_unwritable");
    expect(error.message).toContain("/proc/new/data");
  });

  it("takes nothing more once its folder was moved or another file is in its place, and says so", async () => {
    const dataDir = join(folder.path, "data");
    const store = createSqliteStore({ dataDir });
    await store.open();
    const commit = (id: string) => appendAll(store, ROOM, [noticeDraft(id)]);
    await commit("a");
    expect(store.problem?.()).toBeUndefined();

    renameSync(dataDir, join(folder.path, "elsewhere"));
    expect((await refusalOf(commit("b"))).message).toContain(`${dataDir} is not the file that was opened`);
    expect(store.problem?.()).toMatch(/^the data folder was moved/);
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "troupe.db"), "");
    expect((await refusalOf(commit("c"))).code).toBe("store_unavailable");

    rmSync(dataDir, { recursive: true });
    renameSync(join(folder.path, "elsewhere"), dataDir);
    await commit("d");
    expect((await store.read(ROOM, 0, 10)).map(({ entry }) => entry.id)).toEqual(["a", "d"]);
    await store.close();
  });

  it("remembers that a write failed until one succeeds", async () => {
    const driver = await openDriver(folder.path);
    driver.exec("CREATE TABLE t (x); PRAGMA max_page_count = 4");
    const insert = (bytes: number) =>
      driver.write(false, () => driver.exec(`INSERT INTO t VALUES (zeroblob(${bytes}))`));

    expect(() => insert(100_000)).toThrow();
    expect(driver.problem()).toContain("store_full");
    driver.prepare("SELECT * FROM t").all();
    expect(driver.problem()).toContain("store_full");
    insert(1);
    expect(driver.problem()).toBeUndefined();
    driver.close();
  });

  it("says what to install where the native file is missing", async () => {
    const error = await refusalOf(createSqliteStore({ dataDir: folder.path, load: withoutNativeFile() }).open());

    expect(error.code).toBe("store_native_missing");
    expect(error.message).toMatch(/compiler \(python3, make and g\+\+\).*`npm ci`/);
    expect(error.message).not.toContain("\n");
  });

  it("says the same where the package is missing", async () => {
    const load: Load = async () => (await import(pathToFileURL(join(folder.path, "nowhere.js")).href)).default;

    expect((await refusalOf(createSqliteStore({ dataDir: folder.path, load }).open())).code).toBe(
      "store_native_missing",
    );
  });

  it("rejects an entry whose stored form is damaged, and goes on with the others", async () => {
    await filled();
    tamper((database) => database.exec("UPDATE entries SET body = '{\"kind' WHERE seq = 1"));
    const store = createSqliteStore({ dataDir: folder.path });
    await store.open();

    await expect(store.find(ROOM, "a")).rejects.toMatchObject({ code: "store_corrupt" });
    expect((await store.find(ROOM, "b"))?.entry.id).toBe("b");
    await store.close();
  });

  it("reads entries of a kind that it does not know as unknown", async () => {
    await filled();
    tamper((database) => database.exec("UPDATE entries SET body = replace(body, '\"notice\"', '\"hologram\"')"));
    const store = createSqliteStore({ dataDir: folder.path });
    await store.open();

    expect((await store.read(ROOM, 0, 10)).map(({ entry }) => entry.kind)).toEqual(["message", "unknown"]);
    await store.close();
  });
});

describe("Migrating the SQLite file", () => {
  const NEXT = [...MIGRATIONS, { layout: 2, sql: "CREATE TABLE added (n INTEGER); INSERT INTO added VALUES (7);" }];

  it("numbers the migrations from 1 without gaps", () => {
    expect(MIGRATIONS.map(({ layout }) => layout)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  it("goes forward only, keeps what is stored, and leaves a copy of the old file", async () => {
    await filled();
    const driver = await openDriver(folder.path);
    migrate(driver, NEXT);
    expect(driver.layout()).toBe(2);
    driver.close();

    tamper((database) => {
      expect(value(database, "SELECT n FROM added")).toBe(7);
      expect(value(database, "SELECT count(*) FROM entries")).toBe(2);
    });
    const copy = keep(new Database(`${file()}.layout-1`, { readonly: true }));
    expect(value(copy, "PRAGMA user_version")).toBe(1);
    expect(value(copy, "SELECT count(*) FROM entries")).toBe(2);
    copy.close();
  });

  it("happens wholly or not at all, and can be tried again", async () => {
    await filled();
    const broken = [...MIGRATIONS, { layout: 2, sql: "CREATE TABLE added (n INTEGER); SELECT nonsense;" }];
    const driver = await openDriver(folder.path);

    expect(() => migrate(driver, broken)).toThrow("nonsense");
    expect(driver.layout()).toBe(1);
    migrate(driver, NEXT);
    expect(driver.layout()).toBe(2);
    driver.close();
  });

  it("keeps other processes out after it has copied", async () => {
    await filled();
    const driver = await openDriver(folder.path);
    migrate(driver, NEXT);

    const other = spawnWorker("open", folder.path);
    expect(await other.next()).toBe("opening");
    expect(await other.next()).toContain("store_in_use");
    await other.ended;
    driver.close();
  });

  it("copies nothing when there is nothing to do", async () => {
    await filled();
    const store = createSqliteStore({ dataDir: folder.path });
    await store.open();
    await store.close();

    expect(existsSync(`${file()}.layout-1`)).toBe(false);
  });
});

/** The installed package as it is where its native part could neither be downloaded nor compiled. */
function withoutNativeFile(): Load {
  const require = createRequire(import.meta.url);
  const modules = join(folder.path, "node_modules");
  for (const name of ["better-sqlite3", "bindings", "file-uri-to-path"]) {
    const source = dirname(require.resolve(`${name}/package.json`));
    cpSync(source, join(modules, name), { recursive: true, filter: (path) => !/\/(build|deps|src)$/.test(path) });
  }
  rmSync(join(modules, "better-sqlite3", "build"), { recursive: true, force: true });
  return async () => (await import(pathToFileURL(join(modules, "better-sqlite3", "lib", "index.js")).href)).default;
}
