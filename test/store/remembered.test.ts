import { describe, expect, it } from "vitest";
import type { KeyValue } from "../../src/ports/key-value.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { remembered } from "../../src/store/remembered.js";

/** Values that count how often each key is read, and can be told to hold their answers back. */
function countingValues() {
  const inner = createMemoryKeyValue("one");
  const reads: string[] = [];
  let gate: Promise<void> | undefined;
  const values: KeyValue = {
    get: (key) => inner.get(key),
    async getMany<T>(keys: string[]) {
      reads.push(...keys);
      const found = await inner.getMany<T>(keys);
      await gate;
      return found;
    },
    set: (key, value) => inner.set(key, value),
    delete: (key) => inner.delete(key),
  };
  return {
    values,
    reads,
    hold() {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
  };
}

describe("A remembered value", () => {
  it("is read once, be it there or not", async () => {
    const { values, reads } = countingValues();
    const known = remembered(values);
    await values.set("a", 1);

    expect(await known.getMany(["a", "absent"])).toEqual([1, undefined]);
    expect(await known.getMany(["absent", "a", "a"])).toEqual([undefined, 1, 1]);
    expect(await known.get("a")).toBe(1);
    expect(reads).toEqual(["a", "absent"]);
  });

  it("is the new one after every set and delete", async () => {
    const known = remembered(countingValues().values);
    await known.get("a");
    await known.set("a", 1);
    expect(await known.get("a")).toBe(1);
    await known.set("a", 2);
    expect(await known.get("a")).toBe(2);

    expect(await known.delete("a")).toBe(true);
    expect(await known.get("a")).toBeUndefined();
  });

  it("is not what stood before a write that came while it was read", async () => {
    const { values, hold } = countingValues();
    const known = remembered(values);
    const open = hold();
    const early = known.get("a");
    await known.set("a", 1);
    open();

    expect(await early).toBeUndefined();
    expect(await known.get("a")).toBe(1);
  });

  it("never has a time to live", async () => {
    await expect(remembered(countingValues().values).set("a", 1, 1_000)).rejects.toThrow(RangeError);
  });

  it("is read again when many others have been read since, so that the memory of them is bounded", async () => {
    const { values, reads } = countingValues();
    const known = remembered(values);
    await known.get("a");
    for (let i = 0; i < 20; i++) await known.getMany(Array.from({ length: 1_000 }, (_, n) => `${i} ${n}`));
    await known.get("a");

    expect(reads.filter((key) => key === "a")).toHaveLength(2);
  });
});
