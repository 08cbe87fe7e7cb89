import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasProgress, isMessagingCommand, NO_WORK, type WorkLog, withWork } from "../../src/domain/progress.js";

const logOf = (...digests: readonly string[]) => digests.reduce<WorkLog>(withWork, NO_WORK);

describe("Progress of a pair", () => {
  it("is a call by either side since the last exchange, and none without one", () => {
    expect(hasProgress([NO_WORK, NO_WORK], [0, 0], [0, 0])).toBe(false);
    expect(hasProgress([logOf("tests"), NO_WORK], [0, 0], [0, 0])).toBe(true);
    expect(hasProgress([NO_WORK, logOf("tests")], [0, 0], [0, 0])).toBe(true);
    expect(hasProgress([logOf("tests"), NO_WORK], [1, 0], [0, 0])).toBe(false);
  });

  it("is no call that repeats one since the counters started over", () => {
    expect(hasProgress([logOf("date", "date"), NO_WORK], [1, 0], [0, 0])).toBe(false);
    expect(hasProgress([logOf("date", "date", "tests"), NO_WORK], [1, 0], [0, 0])).toBe(true);
  });

  it("is no call that the other side has made before with the same result", () => {
    expect(hasProgress([logOf("date"), logOf("date")], [1, 0], [0, 0])).toBe(false);
  });

  it("is the same call again once the counters have started over", () => {
    expect(hasProgress([logOf("date", "date"), NO_WORK], [1, 0], [1, 0])).toBe(true);
    expect(hasProgress([logOf("date", "date", "date"), NO_WORK], [2, 0], [1, 0])).toBe(false);
  });

  it("counts one new call that both sides made", () => {
    expect(hasProgress([logOf("date"), logOf("date")], [0, 0], [0, 0])).toBe(true);
  });

  it("is found in a log that remembers a bounded number of calls and counts on without end", () => {
    const log = logOf(...Array.from({ length: 2_000 }, (_, i) => `call ${i}`));

    expect(log.n).toBe(2_000);
    expect(log.calls).toHaveLength(256);
    expect(hasProgress([log, NO_WORK], [1_999, 0], [0, 0])).toBe(true);
    expect(hasProgress([log, NO_WORK], [2_000, 0], [0, 0])).toBe(false);
  });

  it("is what a plain reading of the whole history gives, as long as it is remembered", () => {
    const history = fc.array(fc.record({ side: fc.constantFrom(0, 1), call: fc.constantFrom("a", "b", "c") }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(history, fc.nat(20), fc.nat(20), (calls, one, other) => {
        const [restart, exchange] = [Math.min(one, other), Math.max(one, other)];
        const of = (side: number, until: number) => calls.slice(0, until).filter((call) => call.side === side);
        const logs = [0, 1].map((side) => logOf(...of(side, calls.length).map(({ call }) => call)));
        const mark = (until: number) => [of(0, until).length, of(1, until).length] as const;

        const known = calls.slice(restart, exchange).map(({ call }) => call);
        const expected = calls.slice(exchange).some(({ call }) => !known.includes(call));
        const [a = NO_WORK, b = NO_WORK] = logs;
        expect(hasProgress([a, b], mark(exchange), mark(restart))).toBe(expected);
      }),
    );
  });
});

describe("A shell command", () => {
  it.each([
    "troupe say beta hello",
    "  troupe say beta 'tests && build; done'  ",
    'troupe say beta "all green; go on > next"',
    "./node_modules/.bin/troupe say beta done",
    "npx troupe say beta done",
    "troupe say beta it\\'s\\ done\\;",
    "troupe say",
  ])("that only sends a message is messaging: %s", (command) => {
    expect(isMessagingCommand(command)).toBe(true);
  });

  it.each([
    "npm test && troupe say beta done",
    "troupe say beta done && npm test",
    "troupe say beta done; npm test",
    "troupe say beta done\nnpm test",
    "troupe say beta done | tee log.txt",
    "troupe say beta done > log.txt",
    "troupe say beta < report.txt",
    'troupe say beta "$(npm test)"',
    "troupe say beta `npm test`",
    'troupe say beta "`npm test`"',
    "troupe say beta $(npm test)",
    "npm test & troupe say beta done",
    "vi troupe",
    "sed -i s/a/b/ troupe say.md",
    "troupe-say beta",
    "troupe saying",
    "troupe check",
    "",
  ])("that does more than that, or something else, is work: %j", (command) => {
    expect(isMessagingCommand(command)).toBe(false);
  });
});
