import { describe, expect, it } from "vitest";
import type { PauseNotice } from "../../src/domain/notice.js";
import type { Trip } from "../../src/domain/pair.js";
import { explainTrip, pauseView } from "../../src/domain/pause-view.js";

const nameOf = (handle: string) => handle.charAt(0).toUpperCase() + handle.slice(1);

const paused: PauseNotice = {
  type: "pause",
  session: "fake:T:general",
  state: "open",
  at: 0,
  pair: "alpha~beta",
  agents: ["alpha", "beta"],
  trip: { reason: "alternation", count: 10, limit: 10 },
  held: 3,
  delivered: 0,
  dropped: 0,
  lastLines: ["Alpha: your turn", "Beta: no, yours"],
};

const draw = (change: Partial<PauseNotice> = {}) => pauseView("pause|alpha~beta|1", { ...paused, ...change }, nameOf);

describe("The notice of a pause", () => {
  it("says who, which rule with its figures, how many are held, and how they last spoke", () => {
    const { text, fields, tone } = draw();

    expect(text).toContain("Alpha and Beta are paused");
    expect(text).toContain("10 messages back and forth without progress (limit 10)");
    expect(text).toContain("> Alpha: your turn\n> Beta: no, yours");
    expect(fields).toEqual([{ label: "Held", value: "3" }]);
    expect(tone).toBe("warning");
  });

  it("has Resume, and Drop held while something is held", () => {
    const actions = (held: number) => draw({ held }).buttons?.map(({ action, value }) => [action, value]);

    expect(actions(1)).toEqual([
      ["troupe:resume", "pause|alpha~beta|1"],
      ["troupe:drop", "pause|alpha~beta|1"],
    ]);
    expect(actions(0)).toEqual([["troupe:resume", "pause|alpha~beta|1"]]);
  });

  it("tells how many were dropped, and who paused by hand", () => {
    const view = draw({ held: 0, dropped: 2, by: "Ann", trip: { reason: "manual", count: 0, limit: 0 } });

    expect(view.fields).toEqual([
      { label: "Held", value: "0" },
      { label: "Dropped", value: "2" },
    ]);
    expect(view.text).toContain("Ann paused them.");
  });

  it.each([
    [{ delivered: 0 }, "Bob resumed Alpha and Beta. 0 held messages delivered."],
    [{ delivered: 1 }, "Bob resumed Alpha and Beta. 1 held message delivered."],
    [{ delivered: 7, dropped: 2 }, "Bob resumed Alpha and Beta. 7 held messages delivered, 2 dropped."],
  ])("once resumed says by whom and how many were delivered, and has no button: %j", (change, text) => {
    const view = draw({ ...change, state: "done", by: "Bob" });

    expect(view.text).toBe(text);
    expect(view.buttons).toBeUndefined();
  });

  it("resumed by nobody was resumed by the system", () => {
    expect(draw({ state: "done" }).text).toMatch(/^Troupe resumed/);
  });

  it.each([
    ["alternation", "4 messages back and forth without progress (limit 5)."],
    ["repeats", "4 nearly identical messages in a row (limit 5)."],
    ["cap", "4 messages in a short time (limit 5)."],
    ["manual", "a person paused them."],
    ["release_failed", "a held message could not be delivered."],
  ] as const)("explains %s in plain words", (reason, words) => {
    const trip: Trip = { reason, count: 4, limit: 5 };
    expect(explainTrip(trip)).toBe(words);
  });
});
