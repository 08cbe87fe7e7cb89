import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Driver, openDriver } from "../../src/store/sqlite/driver.js";
import { migrate } from "../../src/store/sqlite/migrate.js";
import { prepareStatements } from "../../src/store/sqlite/statements.js";
import { createTempDir } from "../support/temp-dir.js";

let folder: ReturnType<typeof createTempDir>;
let driver: Driver;
beforeEach(async () => {
  folder = createTempDir();
  driver = await openDriver(folder.path);
  migrate(driver);
});
afterEach(() => {
  driver.close();
  folder.remove();
});

function planOf(sql: string): string[] {
  const bound = sql.replaceAll(/\?|@\w+/g, "1");
  return driver
    .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${bound}`)
    .all()
    .map(({ detail }) => detail);
}

describe("A statement of the SQLite store", () => {
  it("never walks a whole table or sorts what an index has in order, so that its cost is that of its answer", () => {
    const costly = Object.entries(prepareStatements(driver)).flatMap(([name, statement]) =>
      planOf(statement.source)
        .filter((detail) =>
          /^SCAN (?!.* USING (COVERING )?INDEX (heads_dirty|key_values_expiring))|TEMP B-TREE/.test(detail),
        )
        .map((detail) => `${name}: ${detail}`),
    );

    // What is counted is bounded by the budget. A room has few sessions, and which is the channel's own is no column.
    expect(costly).toEqual(["burstUsed: SCAN (subquery-1)", "heads: USE TEMP B-TREE FOR ORDER BY"]);
    const { burstStart, burstUsed } = prepareStatements(driver);
    for (const { source } of [burstStart, burstUsed]) {
      expect(planOf(source).join("\n")).toContain("USING COVERING INDEX entries_bearing");
    }
  });
});
