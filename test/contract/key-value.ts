import type { Keyv } from "keyv";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KeyValue } from "../../src/ports/key-value.js";
import type { FakeClock } from "../support/fake-clock.js";

/** Key-value namespaces of one place, by one clock. */
export interface KeyValueHarness {
  readonly clock: FakeClock;
  keyValue(namespace: string): Keyv;
  dispose(): Promise<void>;
}

/** What every key-value store promises, through Keyv. */
export function keyValueContract(name: string, create: () => Promise<KeyValueHarness>): void {
  describe(`${name} as a key-value store`, () => {
    let harness: KeyValueHarness;
    let values: Keyv;
    beforeEach(async () => {
      harness = await create();
      values = harness.keyValue("one");
    });
    afterEach(() => harness.dispose());

    it("satisfies the port", async () => {
      const port: KeyValue = values;
      await port.set("k", { n: 1 });

      expect(await port.get("k")).toEqual({ n: 1 });
      expect(await port.getMany(["absent", "k"])).toEqual([undefined, { n: 1 }]);
    });

    it.each([["text"], [""], [":colon"], [0], [false], [null], [["a", { b: 1 }]], ["\u0000 \u202e 👍"]])(
      "keeps %j as it was",
      async (value) => {
        await values.set("k", value);

        expect(await values.get("k")).toEqual(value);
      },
    );

    it("replaces a value", async () => {
      await values.set("k", 1);
      await values.set("k", 2);

      expect(await values.get("k")).toBe(2);
    });

    it("says whether there was something to delete", async () => {
      await values.set("k", 1);

      expect(await values.delete("k")).toBe(true);
      expect(await values.delete("k")).toBe(false);
      expect(await values.get("k")).toBeUndefined();
    });

    it("answers many in the order of the keys, with holes", async () => {
      await values.set("a", 1);
      await values.set("b", 2);

      expect(await values.getMany(["b", "absent", "a", "b"])).toEqual([2, undefined, 1, 2]);
      expect(await values.getMany([])).toEqual([]);
    });

    it("forgets a value when its time to live is over", async () => {
      await values.set("short", 1, 1000);
      await values.set("long", 2, 5000);
      await values.set("ever", 3);
      await harness.clock.advance(999);
      expect(await values.getMany(["short", "long", "ever"])).toEqual([1, 2, 3]);

      await harness.clock.advance(1);
      expect(await values.get("short")).toBeUndefined();
      expect(await values.has("short")).toBe(false);
      expect(await values.getMany(["short", "long", "ever"])).toEqual([undefined, 2, 3]);
    });

    it("gives a value a new life when it is set again", async () => {
      await values.set("k", 1, 1000);
      await values.set("k", 2);
      await harness.clock.advance(60_000);

      expect(await values.get("k")).toBe(2);
    });

    it("keeps namespaces apart", async () => {
      const other = harness.keyValue("two");
      await values.set("k", 1);
      await other.set("k", 2);
      expect(await values.get("k")).toBe(1);

      await other.clear();
      expect(await values.get("k")).toBe(1);
      expect(await other.get("k")).toBeUndefined();
    });

    it("walks over what it holds", async () => {
      await values.set("a", 1);
      await values.set("b", { n: 2 });
      await values.set("gone", 3, 10);
      await harness.keyValue("two").set("c", 4);
      await harness.clock.advance(10);

      const found = new Map<unknown, unknown>();
      for await (const [key, value] of values.iterator?.(undefined) ?? []) found.set(key, value);

      expect(found).toEqual(
        new Map<unknown, unknown>([
          ["a", 1],
          ["b", { n: 2 }],
        ]),
      );
    });
  });
}
