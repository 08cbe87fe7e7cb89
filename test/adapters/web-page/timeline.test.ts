import { describe, expect, it } from "vitest";
import { timeline } from "../../../adapters/web/page/src/state/timeline.js";
import type { WireEntry } from "../../../adapters/web/page/src/wire.js";
import { message, said } from "./support/entries.js";

const at = (day: number, hour: number, minute: number): string => new Date(2026, 0, day, hour, minute).toISOString();

function kinds(entries: readonly WireEntry[], showActivity = false): readonly string[] {
  return timeline({ entries, cards: [] }, showActivity).map((item) => item.kind);
}

describe("the conversation's lines", () => {
  it("begin each day with a line of its own", () => {
    const entries = [
      message(1, { at: at(5, 23, 58) }),
      message(2, { at: at(6, 0, 1) }),
      message(3, { at: at(6, 0, 2) }),
    ];

    expect(kinds(entries)).toEqual(["day", "message", "day", "message", "message"]);
  });

  it("put messages of one author under one head for five minutes, and not across another line", () => {
    const entries = [
      said("alpha", 1, { at: at(5, 12, 0) }),
      said("alpha", 2, { at: at(5, 12, 4) }),
      said("alpha", 3, { at: at(5, 12, 10) }),
      said("beta", 4, { at: at(5, 12, 10) }),
      message(5, { kind: "notice", at: at(5, 12, 10) }),
      said("beta", 6, { at: at(5, 12, 10) }),
    ];

    const heads = timeline({ entries, cards: [] }, false).flatMap((item) =>
      item.kind === "message" ? [[item.entry.seq, item.continues]] : [],
    );

    expect(heads).toEqual([
      [1, false],
      [2, true],
      [3, false],
      [4, false],
      [6, false],
    ]);
  });

  it("hide what personas do besides talking until it is asked for, and then fold it", () => {
    const entries = [
      message(1),
      said("alpha", 2, { kind: "ack" }),
      said("alpha", 3, { kind: "tool_call", tool: "list_room" }),
      said("alpha", 4, { kind: "tool_result", tool: "list_room", ok: true }),
      said("beta", 5, { kind: "tool_call", tool: "idle" }),
      said("alpha", 6),
    ];

    expect(kinds(entries)).toEqual(["day", "message", "message"]);
    expect(kinds(entries, true)).toEqual(["day", "message", "activity", "activity", "message"]);
  });

  it("show notices, errors and pressed buttons, and skip what a newer service wrote", () => {
    const entries = ["notice", "error", "directive", "summary", "unknown"].map((kind, index) =>
      message(index + 1, { kind }),
    );

    expect(kinds(entries)).toEqual(["day", "notice", "notice", "directive", "notice"]);
  });

  it("put a card where it was answered", () => {
    const cards = [{ id: "c", after: 1, at: 0, view: { text: "" } }];

    const items = timeline({ entries: [message(1), message(2)], cards }, false);

    expect(items.map((item) => item.kind)).toEqual(["day", "message", "card", "message"]);
  });
});
