import { describe, expect, it } from "vitest";
import { burstRole, type EntryKind, needsOutcome, type Sender } from "../../src/domain/entry.js";

const PERSON: Sender = { kind: "person", id: "u1", name: "Robin" };
const AGENT: Sender = { kind: "agent", id: "alpha", name: "Alpha" };

const RECORDS = [
  "notice",
  "summary",
  "tool_call",
  "tool_result",
  "ack",
  "error",
  "agent_pair_paused",
  "agent_pair_held",
  "agent_pair_dropped",
] as const satisfies readonly EntryKind[];

describe("entries that need an outcome", () => {
  it("are messages, directives and released messages", () => {
    for (const kind of ["message", "directive", "agent_pair_released"] as const)
      expect(needsOutcome({ kind })).toBe(true);
  });

  it("are no others", () => {
    for (const kind of [...RECORDS, "agent_pair_resumed"] as const) expect(needsOutcome({ kind })).toBe(false);
  });
});

describe("the part of an entry in the burst", () => {
  it("is a reset for a person's message and for a directive by anybody", () => {
    expect(burstRole({ kind: "message", sender: PERSON, cause: { kind: "person" } })).toBe("resets");
    expect(burstRole({ kind: "directive", sender: PERSON, cause: { kind: "button" } })).toBe("resets");
  });

  it("is one for an agent's message, unless a schedule or task has caused it", () => {
    const role = (kind: "agent" | "button" | "person" | "schedule" | "task") =>
      burstRole({ kind: "message", sender: AGENT, cause: { kind } });

    expect([role("agent"), role("button"), role("person")]).toEqual(["counts", "counts", "counts"]);
    expect([role("schedule"), role("task")]).toEqual(["transparent", "transparent"]);
  });

  it("is none for messages of bots and of the system", () => {
    for (const kind of ["bot", "system"] as const) {
      const sender = { kind, id: "x", name: "X" };
      expect(burstRole({ kind: "message", sender, cause: { kind: "person" } })).toBe("transparent");
    }
  });

  it("is none for records, whoever wrote them", () => {
    for (const kind of [...RECORDS, "agent_pair_released"] as const) {
      for (const sender of [PERSON, AGENT]) {
        expect(burstRole({ kind, sender, cause: { kind: "person" } }), kind).toBe("transparent");
      }
    }
  });
});
