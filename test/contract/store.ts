import { describe } from "vitest";
import type { StoreHarness } from "./store/harness.js";
import { logContract } from "./store/log.js";
import { modelContract } from "./store/model.js";
import { recordsContract } from "./store/records.js";
import { turnContract } from "./store/turn.js";

/** What every store promises. `create` answers an open, empty one. */
export function storeContract(name: string, create: () => Promise<StoreHarness>, { histories = 60 } = {}): void {
  describe(`${name} as a store`, () => {
    logContract(create);
    turnContract(create);
    recordsContract(create);
    modelContract(create, histories);
  });
}
