import type { Keyv } from "keyv";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { keyValueContract } from "../contract/key-value.js";
import { createFakeClock } from "../support/fake-clock.js";

keyValueContract("The memory", async () => {
  const clock = createFakeClock();
  const made = new Map<string, Keyv>();
  return {
    clock,
    keyValue(namespace) {
      const values = made.get(namespace) ?? createMemoryKeyValue(namespace, clock);
      made.set(namespace, values);
      return values;
    },
    async dispose() {},
  };
});
