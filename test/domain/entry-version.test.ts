import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { burstRole, type EntryKind, needsOutcome } from "../../src/domain/entry.js";
import { ENTRY_VERSION, type Upcaster, upcast } from "../../src/domain/entry-version.js";

const PLACE = { session: "web:local:general", seq: 4 };
const sample = (version: number) =>
  JSON.parse(readFileSync(new URL(`../store/fixtures/entries-v${version}.json`, import.meta.url), "utf8"));
const STORED: Record<string, Record<string, unknown>> = sample(1);

describe("A stored entry", () => {
  it("of every kind has a sample", () => {
    const kinds: Record<Exclude<EntryKind, "unknown">, true> = {
      message: true,
      directive: true,
      notice: true,
      summary: true,
      tool_call: true,
      tool_result: true,
      ack: true,
      error: true,
      agent_pair_paused: true,
      agent_pair_held: true,
      agent_pair_resumed: true,
      agent_pair_released: true,
      agent_pair_dropped: true,
    };

    expect(Object.keys(STORED).sort()).toEqual(Object.keys(kinds).sort());
  });

  it.each(Object.keys(STORED))("of version 1 and kind %s reads as it was written", (kind) => {
    const entry = upcast({ ...STORED[kind], ...PLACE });

    expect(entry).toEqual({ ...STORED[kind], ...PLACE, v: ENTRY_VERSION });
    expect(entry.kind).toBe(kind);
  });

  it("is lifted from version to version, and the stored form stays as it is", () => {
    const upcasters: Upcaster[] = [
      (raw) => ({ ...raw, text: `${raw.text}, lifted to 2` }),
      (raw) => ({ ...raw, text: `${raw.text}, to 3` }),
    ];
    const stored = Object.freeze({ ...STORED.notice, ...PLACE, text: "first" });

    expect(upcast(stored, upcasters)).toMatchObject({ v: 3, text: "first, lifted to 2, to 3" });
    expect(upcast({ ...stored, v: 2 }, upcasters)).toMatchObject({ v: 3, text: "first, to 3" });
    expect(upcast({ ...stored, v: 3 }, upcasters)).toMatchObject({ v: 3, text: "first" });
  });

  it.each([
    ["of a newer version", { ...STORED.message, ...PLACE, v: ENTRY_VERSION + 1 }],
    ["of an unknown kind", { ...STORED.message, ...PLACE, kind: "hologram" }],
    ["of a kind that every object has", { ...STORED.message, ...PLACE, kind: "toString" }],
  ])("%s is kept raw, and no rule acts on it", (_, stored) => {
    const entry = upcast(stored);

    expect(entry).toMatchObject({ kind: "unknown", ...PLACE, id: STORED.message?.id, raw: stored, text: "" });
    expect(entry.sender.kind).toBe("system");
    expect(needsOutcome(entry)).toBe(false);
    expect(burstRole(entry)).toBe("transparent");
  });

  it("of any form at all reads as something", () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        expect(upcast(raw)).toHaveProperty("kind");
      }),
    );
  });
});
