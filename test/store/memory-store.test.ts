import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { storeContract } from "../contract/store.js";

storeContract("The memory store", async () => {
  const store = createMemoryStore();
  await store.open();
  return {
    store,
    async restart() {
      await store.close();
      await store.open();
      return store;
    },
    dispose: () => store.close(),
  };
});
