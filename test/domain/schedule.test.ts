import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CronTrigger,
  dueStep,
  type FireEnd,
  isAmongOldest,
  MISSED_AFTER_MS,
  type Moment,
  type NextTime,
  retirement,
  type Schedule,
  settled,
  shortestPause,
  switchedOff,
} from "../../src/domain/schedule.js";
import { durationOf } from "../../src/domain/schedule-words.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** An "expression" that is a number: the times are its multiples. */
const everySo: NextTime = ({ cron }, after) => (Math.floor(after / Number(cron)) + 1) * Number(cron);
const never: NextTime = () => undefined;

const cronOf = (ms: number): CronTrigger => ({ kind: "cron", cron: String(ms) });

function schedule(over: Partial<Schedule> = {}): Schedule {
  return {
    id: "job",
    persona: "alpha",
    session: "web:local:main",
    fresh: false,
    trigger: cronOf(MINUTE),
    prompt: "Do it",
    missed: "skip",
    enabled: true,
    maxFailures: 3,
    fires: 0,
    failures: 0,
    due: MINUTE,
    createdAt: 0,
    ...over,
  };
}

function moment(over: Partial<Moment> = {}): Moment {
  return { now: MINUTE, next: everySo, minIntervalMs: MINUTE, isHere: true, isWithin: true, ...over };
}

const once = (over: Partial<Schedule> = {}) =>
  schedule({ trigger: { kind: "once", at: MINUTE }, missed: "once", ...over });

const anySchedule = fc
  .record({
    isOnce: fc.boolean(),
    missed: fc.constantFrom("skip" as const, "once" as const),
    due: fc.integer({ min: 1, max: 10_000 * MINUTE }),
    every: fc.integer({ min: SECOND, max: 500 * MINUTE }),
    isOpen: fc.boolean(),
    fires: fc.nat(5),
    failures: fc.nat(2),
    maxFires: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    expiresAt: fc.option(fc.integer({ min: 1, max: 20_000 * MINUTE }), { nil: undefined }),
  })
  .map(({ isOnce, every, isOpen, maxFires, expiresAt, ...rest }) =>
    schedule({
      ...rest,
      trigger: isOnce ? { kind: "once", at: rest.due } : cronOf(every),
      ...(isOpen && !isOnce ? { open: rest.due - 1 } : {}),
      ...(maxFires === undefined ? {} : { maxFires }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    }),
  );

describe("a schedule whose time has come", () => {
  it("fires, is skipped, or is off; it never stays due, and a later time is the least interval away", () => {
    fc.assert(
      fc.property(anySchedule, fc.nat(1_000 * MINUTE), fc.boolean(), fc.boolean(), (before, late, isHere, isWithin) => {
        const due = before.due ?? 0;
        const now = due + late;
        const step = dueStep(before, due, moment({ now, isHere, isWithin }));
        const after = step.schedule;

        expect(after.due === undefined || (after.due > now && after.due >= due + MINUTE)).toBe(true);
        expect(after.enabled).toBe(step.kind !== "off");
        if (step.kind !== "off") expect(after.due !== undefined || after.open !== undefined).toBe(true);
        if (step.kind === "fire") {
          expect(after.open).toBe(due);
          expect(before.open).toBeUndefined();
          expect([isHere, isWithin, retirement(before, now)]).toEqual([true, true, undefined]);
          expect(late <= MISSED_AFTER_MS || before.missed === "once").toBe(true);
        }
        expect([after.fires, after.failures]).toEqual([before.fires, before.failures]);
      }),
    );
  });

  it.each<[string, Partial<Schedule>, Partial<Moment>, string]>([
    ["its end has come", { expiresAt: MINUTE }, {}, "off expired"],
    ["its end has not come yet", { expiresAt: MINUTE + 1 }, {}, "fire"],
    ["it has fired often enough", { fires: 2, maxFires: 2 }, {}, "off max_fires"],
    ["it has not fired often enough", { fires: 1, maxFires: 2 }, {}, "fire"],
    ["its persona is gone", {}, { isHere: false }, "off not_here"],
    ["the last fire still runs", { open: 1 }, {}, "skip busy"],
    ["there are too many", {}, { isWithin: false }, "skip bounds"],
    ["it is a minute late", {}, { now: MINUTE + MISSED_AFTER_MS }, "fire"],
    ["it is later than that", {}, { now: MINUTE + MISSED_AFTER_MS + 1 }, "skip missed"],
    ["it is late and makes up for it", { missed: "once" }, { now: 100 * MINUTE }, "fire"],
    ["its expression names no more times and it was missed", {}, { now: 9 * MINUTE, next: never }, "skip missed"],
  ])("when %s", (_, over, at, expected) => {
    const step = dueStep(schedule(over), MINUTE, moment(at));
    const why = step.kind === "off" ? ` ${step.off}` : step.kind === "skip" ? ` ${step.why}` : "";

    expect(`${step.kind}${why}`).toBe(expected);
  });

  it("is over when its expression names no more times", () => {
    const { schedule: after } = dueStep(schedule(), MINUTE, moment({ now: 9 * MINUTE, next: never }));
    expect(after).toMatchObject({ enabled: false, off: "over" });
  });

  it("a one-shot that may not fire is off, for it has no other time", () => {
    expect(dueStep(once(), MINUTE, moment({ isWithin: false }))).toMatchObject({ kind: "off", off: "bounds" });
    const late = dueStep(once({ missed: "skip" }), MINUTE, moment({ now: 9 * MINUTE }));
    expect(late).toMatchObject({ kind: "off", off: "missed" });
  });
});

describe("a fire that has ended", () => {
  const ends: readonly FireEnd[] = [
    { kind: "done" },
    { kind: "failed", reason: "no." },
    { kind: "stopped" },
    { kind: "gone" },
  ];

  it("is open no more, and what goes on has a next time or is off", () => {
    fc.assert(
      fc.property(anySchedule, fc.constantFrom(...ends), fc.boolean(), (base, end, hasNext) => {
        const isCron = base.trigger.kind === "cron";
        const { due: at = 0, ...rest } = base;
        const after = settled({ ...rest, open: at, ...(hasNext && isCron ? { due: 9e12 } : {}) }, end, 5 * MINUTE);
        expect(after !== undefined || !isCron).toBe(true);
        if (after === undefined) return;
        expect(after.open).toBeUndefined();
        expect(after.enabled).toBe(after.due !== undefined);
        expect([after.fires, after.failures]).toEqual(countsAfter(base, end));
      }),
    );
  });

  function countsAfter({ fires, failures }: Schedule, { kind }: FireEnd): readonly number[] {
    if (kind === "done") return [fires + 1, 0];
    return [fires, kind === "failed" ? failures + 1 : failures];
  }

  it("counts towards the end of a recurring schedule only when it worked", () => {
    const before = schedule({ open: MINUTE, due: 2 * MINUTE, fires: 1, maxFires: 2 });
    expect(settled(before, { kind: "done" }, MINUTE)).toMatchObject({ enabled: false, off: "max_fires", fires: 2 });
    expect(settled(before, { kind: "failed", reason: "no." }, MINUTE)).toMatchObject({ enabled: true, fires: 1 });
  });

  it("is followed by longer and longer pauses, up to the last failure", () => {
    let shot = once();
    const pauses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const { due: _, ...rest } = shot;
      const after = settled({ ...rest, open: MINUTE, maxFailures: 5 }, { kind: "failed", reason: "no." }, 0);
      if (after === undefined) throw new Error("a failed one-shot is kept");
      if (after.due !== undefined) pauses.push(after.due / MINUTE);
      shot = after;
    }
    expect(pauses).toEqual([1, 4, 16, 60]);
    expect(shot).toMatchObject({ enabled: false, off: "failures" });
  });

  it("does not take away the new time that a one-shot was given meanwhile", () => {
    const before = once({ open: MINUTE, due: 9 * MINUTE });
    expect(settled(before, { kind: "done" }, MINUTE)).toMatchObject({ enabled: true, due: 9 * MINUTE });
  });

  it("does not switch on again what was switched off meanwhile", () => {
    const before = switchedOff(schedule({ open: MINUTE }), "person");
    for (const end of ends) expect(settled(before, end, MINUTE)).toMatchObject({ enabled: false });
  });
});

describe("bounds", () => {
  it("let the oldest ones fire: no more than the bound of any set, and the same for everybody who asks", () => {
    const some = fc.uniqueArray(fc.tuple(fc.nat(20), fc.string({ minLength: 1, maxLength: 3 })), {
      maxLength: 12,
      selector: ([, id]) => id,
    });
    fc.assert(
      fc.property(some, fc.nat(12), (made, most) => {
        const all = made.map(([createdAt, id]) => schedule({ id, createdAt }));
        const within = all.filter((one) => isAmongOldest(one, all, most));
        expect(within).toHaveLength(Math.min(most, all.length));
        expect(all.filter((one) => isAmongOldest(one, [...all].reverse(), most))).toEqual(within);
      }),
    );
  });

  it("see the shortest pause of an expression", () => {
    const two: NextTime = (_, after) => [10, 11, 5_000].find((at) => at > after);
    expect(shortestPause(cronOf(1), 0, two)).toBe(1);
    expect(shortestPause(cronOf(7 * SECOND), 3, everySo)).toBe(7 * SECOND);
    expect(shortestPause(cronOf(1), 11, two)).toBeUndefined();
    expect(shortestPause(cronOf(1), 0, never)).toBeUndefined();
  });
});

describe("a pause in words", () => {
  it.each([
    ["90s", 90 * SECOND],
    ["10m", 10 * MINUTE],
    ["2h", 120 * MINUTE],
    ["1d", 1_440 * MINUTE],
    [" 5 M ", 5 * MINUTE],
  ])("%j", (text, ms) => {
    expect(durationOf(text)).toBe(ms);
  });

  it.each(["", "10", "m", "-5m", "1.5h", "5w", "10m later", "1e3s", "99999999s"])("%j is none", (text) => {
    expect(durationOf(text)).toBeUndefined();
  });
});
