import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createDiscordTime } from "../../../adapters/discord/discord-time.js";
import type { Clock } from "../../../src/ports/clock.js";
import { PER_WEBHOOK } from "../../fakes/discord/limits.js";
import { type DiscordRooms, startDiscordRooms } from "../../support/discord-rooms.js";
import { openDiscordTown } from "../../support/discord-town.js";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";
import { passUntil } from "../../support/passing.js";
import { createPuppets } from "../../support/puppets.js";
import { ALPHA, openOutbound } from "./outbound-harness.js";

const MINUTE_MS = 60_000;

/** The same time, on a clock that is wrong by so much. */
function wrongBy(ms: number, clock: FakeClock): FakeClock {
  return {
    now: () => clock.now() + ms,
    monotonic: clock.monotonic,
    after: clock.after,
    advance: clock.advance,
    set: clock.set,
    get pending() {
      return clock.pending;
    },
  };
}

/** A machine whose clock is wrong by so much, in a Discord whose clock is right. */
async function roomsWrongBy(ms: number) {
  const { discord, clock } = await openDiscordTown();
  const puppets = createPuppets();
  puppets.always("alpha", ({ text }) => [{ say: `You said: ${text}` }]);
  const rooms = await startDiscordRooms({
    personas: [puppets.persona("alpha")],
    brains: [puppets.brain],
    town: { discord, clock: wrongBy(ms, clock) },
  });
  return { ...rooms, clock, puppets };
}

function answers({ discord }: DiscordRooms): readonly string[] {
  return discord.seen("general").flatMap(({ text }) => /You said: (.*)/.exec(text)?.[1] ?? []);
}

describe("a machine whose clock is wrong", () => {
  for (const [what, ms] of [
    ["half a minute ahead", MINUTE_MS / 2],
    ["ten minutes ahead", 10 * MINUTE_MS],
    ["twenty minutes behind", -20 * MINUTE_MS],
  ] as const) {
    it(`by ${what} posts once what may have failed`, async () => {
      const rooms = await roomsWrongBy(ms);
      const { discord, clock, puppets } = rooms;
      puppets.plan("alpha", { wait: true }, { say: "You said: something" });
      discord.person("ann").say("general", "@alpha hello");
      await discord.recorder.until(() => puppets.waiting === 1);
      // The echo does not come either.
      discord.gateway.fail("lose", "MESSAGE_CREATE");
      discord.faults.add({ method: "execute_webhook", fault: { kind: "accept-then-status", status: 502 } });

      puppets.open();
      await passUntil({ clock }, () => answers(rooms).length > 0);
      discord.person("ann").say("general", "@alpha next");
      await passUntil({ clock }, () => answers(rooms).includes("@alpha next"));

      expect(answers(rooms)).toEqual(["something", "@alpha next"]);
    });
  }

  it("by ten minutes ahead hears what was said while the gateway was away", async () => {
    const rooms = await roomsWrongBy(10 * MINUTE_MS);
    const { discord, clock, adapter } = rooms;
    discord.person("ann").say("general", "@alpha before");
    await rooms.shows("general", "You said: @alpha before");
    await discord.down();
    await discord.recorder.until(() => !adapter.status().ready);
    await clock.advance(5_000);
    discord.person("ann").say("general", "@alpha meanwhile");
    discord.gateway.forgetSessions();

    await discord.up();
    await passUntil({ clock }, () => answers(rooms).length > 1);

    expect(answers(rooms)).toEqual(["@alpha before", "@alpha meanwhile"]);
  });
});

describe("Discord's time", () => {
  const clock = createFakeClock(Date.UTC(2026, 0, 5, 9, 0, 0));
  const heard = (date: string | null): { readonly ahead: number; readonly clock: Clock } => {
    const time = createDiscordTime(clock);
    time.heard("Mon, 05 Jan 2026 08:50:00 GMT");
    time.heard(date);
    return { ahead: time.aheadMs(), clock: time.clock };
  };

  it("is what its answers say", () => {
    const time = heard("Mon, 05 Jan 2026 10:00:00 GMT");
    expect(time.ahead).toBe(-60 * MINUTE_MS);
    expect(time.clock.now()).toBe(Date.UTC(2026, 0, 5, 10, 0, 0));
  });

  it("is ours where they differ by no more than an answer's way", () => {
    expect(heard("Mon, 05 Jan 2026 08:59:58 GMT").ahead).toBe(0);
  });

  it("stays what it was when an answer says nothing of it", () => {
    expect(heard(null).ahead).toBe(10 * MINUTE_MS);
    expect(heard("soon").ahead).toBe(10 * MINUTE_MS);
  });
});

describe("a clock that is set back", () => {
  it("while Discord asks for a pause does not make it longer", async () => {
    const town = await openOutbound();
    const { discord, clock, post, session } = town;
    const now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now });
    onTestFinished(() => void vi.useRealTimers());
    const body = { kind: "text", text: "words" } as const;
    const another = town.again();
    const say = (id: string) =>
      another.post({ session: session(), id, part: 0, identity: ALPHA, body }, new AbortController().signal);
    await say("warm");
    discord.limiter.limits.webhook = PER_WEBHOOK;
    // At the second refusal the library knows which limit it is.
    for (const round of [1, 2]) {
      for (let i = 0; i < PER_WEBHOOK.count; i++) await town.drive(post(`post ${round} ${i}`));
      expect((await say(`one too many in round ${round}`)).status).toBe("rate-limited");
      if (round === 1) await clock.advance(3_000);
    }

    vi.setSystemTime(now - 60 * MINUTE_MS);
    await clock.advance(10_000);

    expect(await town.drive(say("later"))).toMatchObject({ status: "posted" });
  });
});
