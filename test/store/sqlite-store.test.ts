import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { keyValueContract } from "../contract/key-value.js";
import { storeContract } from "../contract/store.js";
import { createFakeClock } from "../support/fake-clock.js";
import { createTempDir } from "../support/temp-dir.js";

storeContract("The SQLite store", async () => {
  const folder = createTempDir();
  let store = createSqliteStore({ dataDir: folder.path });
  await store.open();
  return {
    store,
    async restart() {
      await store.close();
      store = createSqliteStore({ dataDir: folder.path });
      await store.open();
      return store;
    },
    async dispose() {
      await store.close();
      folder.remove();
    },
  };
});

keyValueContract("The SQLite file", async () => {
  const folder = createTempDir();
  const clock = createFakeClock();
  const store = createSqliteStore({ dataDir: folder.path, clock });
  await store.open();
  return {
    clock,
    keyValue: (namespace) => store.keyValue(namespace),
    async dispose() {
      await store.close();
      folder.remove();
    },
  };
});
