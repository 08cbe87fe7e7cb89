import { describe, expect, it } from "vitest";
import type { Persona } from "../../src/domain/persona.js";
import { passUntil } from "../support/passing.js";
import { scripted } from "../support/rooms.js";
import { startSlackRooms } from "../support/slack-rooms.js";
import { openSlackTown } from "../support/slack-town.js";
import { longStory } from "./texts.js";

const LONG = longStory(13_000);

function withIcon(persona: Persona, avatar: string): Persona {
  return { ...persona, avatar };
}

const alpha = withIcon(scripted("alpha", ["long", LONG], ["beta", "@beta your turn"], "A short reply."), ":compass:");
const beta = withIcon(scripted("beta", "Beta takes over."), ":gem:");
const broken = withIcon(scripted("broken", { steps: [{ fail: "temporary" }] }), ":bomb:");

describe("personas under one Slack app", () => {
  it("case 16: a short reply is exactly one message, complete, and is never edited", async () => {
    const { slack, shows, troupe } = await startSlackRooms({ personas: [alpha] });
    slack.person("ann").say("general", "@alpha hello");
    await shows("general", "A short reply.");
    await troupe.idle();

    const writes = slack.recorder.requests.filter(({ method }) => method.startsWith("chat."));
    expect(writes.map(({ method }) => method)).toEqual(["chat.postMessage"]);
    expect(slack.transcript("general").slice(1)).toEqual(["  :compass: Alpha [APP]: A short reply."]);
  });

  it("case 21: replies, later parts, a reply to another persona and the status bear the persona's name and icon", async () => {
    const town = await openSlackTown();
    const slow = withIcon(scripted("slow", { steps: [{ delayMs: 5_000 }, { say: "At last." }] }), ":snail:");
    const { slack, shows } = await startSlackRooms({ personas: [alpha, beta, slow], town });
    const ann = slack.person("ann");
    ann.say("general", "@alpha tell the long story");
    await shows("general", "END");
    ann.say("general", "@alpha ask beta");
    await shows("general", "Beta takes over.");
    const waits = ann.say("general", "@slow and you?");
    await passUntil(town, () => slack.status("general", waits.ts) !== undefined);
    const status = slack.recorder.of("assistant.threads.setStatus")[0]?.args;
    await passUntil(town, () => slack.transcript("general").some((line) => line.includes("At last.")));

    const posts = slack.seen("general").flatMap(({ replies }) => replies);
    const looks = posts.map(({ name, icon }) => `${icon} ${name}`);
    expect(looks.length).toBeGreaterThan(4);
    expect(looks.slice(-3)).toEqual([":compass: Alpha", ":gem: Beta", ":snail: Slow"]);
    expect(new Set(looks.slice(0, -3))).toEqual(new Set([":compass: Alpha"]));
    expect(status).toMatchObject({ username: "Slow", icon_emoji: ":snail:" });
  });

  it("case 21: a notice with a button is posted by the main app, in the persona's name", async () => {
    const { slack, shows } = await startSlackRooms({ personas: [broken] });
    slack.person("ann").say("general", "@broken hello");
    await shows("general", "Broken");

    const [notice] = slack.seen("general").flatMap(({ replies }) => replies);
    expect(`${notice?.icon} ${notice?.name}`).toBe(":bomb: Broken");
    expect(slack.recorder.of("chat.postMessage").map(({ token }) => token)).toEqual(["troupe"]);
    expect(slack.person("ann").sees("general", "Retry").label).toBe("Retry");
  });

  it.each([
    [
      "the right to post under other names is missing",
      { kind: "error", error: "missing_scope" },
      /^ {2}Troupe \[APP\]: \*Alpha:\* A short reply\.$/,
    ],
    ["the icon is refused", { kind: "error", error: "invalid_arguments" }, /^ {2}Alpha \[APP\]: A short reply\.$/],
  ] as const)(
    "case 22: when %s the reply stands once, an admin is told once, and later posts leave the field out",
    async (_, fault, later) => {
      const { slack, shows, logs } = await startSlackRooms({ personas: [alpha] });
      slack.faults.add({ method: "chat.postMessage", times: 99, when: (args) => "icon_emoji" in args, fault });
      const ann = slack.person("ann");
      const first = ann.say("general", "@alpha one");
      await shows("general", "A short reply.");
      ann.say("general", "@alpha two");
      await slack.recorder.until(() => slack.seen("general")[1]?.replies[0]);

      const [one, two] = slack.seen("general");
      expect(one?.ts).toBe(first.ts);
      expect(one?.replies.map(({ name, text }) => `${name}: ${text}`)).toEqual(["Troupe: *Alpha:* A short reply."]);
      expect(two?.replies).toHaveLength(1);
      expect(slack.transcript("general").at(-1)).toMatch(later);
      expect(slack.recorder.of("chat.postMessage").filter(({ outcome }) => outcome !== "ok")).toHaveLength(1);
      const hints = logs.lines.filter(
        ({ level, message }) => level === "warn" && /chat:write\.customize|avatar/.test(message),
      );
      expect(hints).toHaveLength(1);
    },
  );

  it("case 23: a reply uses no native stream, which could not bear the persona's name", async () => {
    const { slack, shows } = await startSlackRooms({ personas: [alpha] });
    slack.person("ann").say("general", "@alpha tell the long story");
    await shows("general", "END");

    expect(slack.recorder.requests.filter(({ method }) => method.includes("Stream"))).toEqual([]);
    const replies = slack.seen("general")[0]?.replies ?? [];
    expect(replies.every(({ name, icon }) => name === "Alpha" && icon === ":compass:")).toBe(true);
  });
});
