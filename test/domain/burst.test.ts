import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BurstEntry, burstOf } from "../../src/domain/burst.js";
import type { Cause, Entry, Sender } from "../../src/domain/entry.js";

function sender(kind: Sender["kind"], id = kind as string): Sender {
  return { kind, id, name: id };
}

function entry(kind: Entry["kind"], by: Sender, cause: Cause["kind"] = "agent"): BurstEntry {
  return { kind, sender: by, cause: { kind: cause } };
}

const PERSON = entry("message", sender("person"), "person");
const ALPHA = entry("message", sender("agent", "alpha"));
const BETA = entry("message", sender("agent", "beta"));
const DIRECTIVE = entry("directive", sender("person"), "button");
const ACK = entry("ack", sender("agent", "alpha"));
const TOOL_CALL = entry("tool_call", sender("agent", "alpha"));
const TOOL_RESULT = entry("tool_result", sender("agent", "alpha"));
const ERROR = entry("error", sender("agent", "alpha"));
const NOTICE = entry("notice", sender("system"));
const SUMMARY = entry("summary", sender("system"));

describe("the burst", () => {
  it("of an empty log is 0, and no beginning was found", () => {
    expect(burstOf([])).toEqual({ used: 0, complete: false });
  });

  it("is 0 when the last message is a person's", () => {
    expect(burstOf([PERSON])).toEqual({ used: 0, complete: true });
    expect(burstOf([PERSON, ALPHA, BETA, PERSON])).toEqual({ used: 0, complete: true });
  });

  it("counts the agents' messages since the person, whoever wrote them", () => {
    expect(burstOf([PERSON, ALPHA, BETA, ALPHA])).toEqual({ used: 3, complete: true });
    expect(burstOf([ALPHA, PERSON, ALPHA, ALPHA])).toEqual({ used: 2, complete: true });
  });

  it("is not reset by acks, tool calls, results, errors, notices and summaries between", () => {
    expect(burstOf([PERSON, ALPHA, ACK, TOOL_CALL, TOOL_RESULT, BETA, ERROR, NOTICE, SUMMARY, ACK]).used).toBe(2);
    expect(burstOf([PERSON, ACK, ERROR]).used).toBe(0);
  });

  it("is reset by a directive: one message behind it makes 1", () => {
    expect(burstOf([PERSON, ALPHA, BETA, DIRECTIVE, ALPHA])).toEqual({ used: 1, complete: true });
    expect(burstOf([PERSON, ALPHA, DIRECTIVE]).used).toBe(0);
  });

  it("looks through what a schedule or a task has caused", () => {
    const scheduled = entry("message", sender("agent"), "schedule");
    const worked = entry("message", sender("agent"), "task");

    expect(burstOf([PERSON, ALPHA, scheduled, worked, BETA]).used).toBe(2);
  });

  it("counts what a pressed button has caused", () => {
    expect(burstOf([DIRECTIVE, entry("message", sender("agent"), "button")]).used).toBe(1);
  });

  it("looks through other bots, which neither count nor reset, and counts those that are allow-listed", () => {
    const bot = entry("message", sender("bot"), "person");

    expect(burstOf([PERSON, ALPHA, bot]).used).toBe(1);
    expect(burstOf([PERSON, ALPHA, { ...bot, asAgent: true }]).used).toBe(2);
  });

  it("is reset when a person resumes a pair, and not when the system does", () => {
    const resumed = (by: Sender["kind"]) => entry("agent_pair_resumed", sender(by));

    expect(burstOf([PERSON, ALPHA, resumed("person"), BETA]).used).toBe(1);
    expect(burstOf([PERSON, ALPHA, resumed("system"), BETA]).used).toBe(2);
  });

  it("of a tail without its beginning is what the tail shows, and says so", () => {
    expect(burstOf([ALPHA, BETA])).toEqual({ used: 2, complete: false });
  });
});

describe("on random logs the burst", () => {
  const logs = fc.array(
    fc.constantFrom(PERSON, ALPHA, BETA, DIRECTIVE, ACK, TOOL_CALL, TOOL_RESULT, ERROR, NOTICE, SUMMARY, {
      ...entry("message", sender("agent"), "schedule"),
    }),
  );
  const counts = (one: BurstEntry) => one === ALPHA || one === BETA;
  const resets = (one: BurstEntry) => one === PERSON || one === DIRECTIVE;

  it("is the number of agent messages behind the last reset", () => {
    fc.assert(
      fc.property(logs, (log) => {
        const last = log.findLastIndex(resets);

        expect(burstOf(log)).toEqual({ used: log.slice(last + 1).filter(counts).length, complete: last !== -1 });
      }),
    );
  });

  it("is the same without the entries that it looks through", () => {
    fc.assert(
      fc.property(logs, (log) => {
        expect(burstOf(log.filter((one) => counts(one) || resets(one)))).toEqual(burstOf(log));
      }),
    );
  });

  it("is known to be at the budget from a tail of so many counting or resetting entries", () => {
    fc.assert(
      fc.property(logs, fc.integer({ min: 1, max: 8 }), (log, budget) => {
        const tail = log.filter((one) => counts(one) || resets(one)).slice(-(budget + 1));

        expect(burstOf(tail).used >= budget).toBe(burstOf(log).used >= budget);
      }),
    );
  });
});
