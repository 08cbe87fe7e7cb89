import { beforeAll, describe, expect, it } from "vitest";
import { createScriptBrain } from "../../src/brain/script/script-brain.js";
import { loadConfig } from "../../src/config/load.js";
import { createMentionParser } from "../../src/domain/mention.js";
import type { Persona } from "../../src/domain/persona.js";
import { createFakeClock } from "../support/fake-clock.js";
import { ROOM, startRooms, type TestRooms } from "../support/rooms.js";
import { endOf, eventsOf, messageFixture, turnFixture } from "../support/turn-fixture.js";
import { packageDir } from "./project.js";

let personas: readonly Persona[];
beforeAll(async () => {
  // A folder without a configuration: the demo personas serve.
  ({ personas } = await loadConfig({ env: {}, packageDir, cwd: import.meta.dirname }));
});

interface Post {
  readonly by: string;
  readonly text: string;
}

/** A room with the demo personas: who is mentioned answers, until nobody is or the budget ends the burst. */
function createRoom(budget = 6) {
  const brain = createScriptBrain({ clock: createFakeClock() });
  const parse = createMentionParser(personas);
  const states = new Map<string, unknown>();
  let waiting: { readonly persona: Persona; readonly text: string } | undefined;

  const addressee = (text: string, sender?: string) => {
    const name = parse(text).find((mention) => mention.kind === "persona" && mention.name !== sender);
    return personas.find((persona) => name?.kind === "persona" && persona.name === name.name);
  };
  const answer = async (persona: Persona, text: string) => {
    const waking = messageFixture({ text });
    const state = states.get(persona.name);
    const end = endOf(await eventsOf(brain.run(turnFixture({ persona, waking, state }))));
    states.set(persona.name, end.state);
    return end.text;
  };
  const run = async () => {
    const posts: Post[] = [];
    while (waiting !== undefined && posts.length < budget) {
      const { persona, text } = waiting;
      const reply = await answer(persona, text);
      posts.push({ by: persona.name, text: reply });
      const next = addressee(reply, persona.name);
      waiting = next === undefined ? undefined : { persona: next, text: reply };
    }
    return posts;
  };
  return {
    say: (text: string) => {
      const persona = addressee(text);
      waiting = persona === undefined ? undefined : { persona, text };
      return run();
    },
    /** What Continue does: the persona that was waiting answers. */
    proceed: run,
    isWaiting: () => waiting !== undefined,
  };
}

const speakers = (posts: readonly Post[]) => posts.map(({ by }) => by);

/** Presses the button of the notice that waits. */
async function press(rooms: TestRooms, action: string): Promise<void> {
  const open = (await rooms.troupe.reader.room(ROOM))?.notices.filter(({ state }) => state === "open") ?? [];
  const button = open.flatMap(({ view }) => view.buttons ?? []).find((one) => one.action === action);
  if (button === undefined) throw new Error(`expected a notice with ${action}`);
  await rooms.press(action, button.value);
  await rooms.quiet();
}

function similarity(a: string, b: string): number {
  const words = (text: string) => new Set(text.toLowerCase().match(/\p{L}+/gu));
  const [left, right] = [words(a), words(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / (left.size + right.size - shared);
}

describe("the demo personas", () => {
  it.each(["@alpha plan a launch", "@alpha should we ship on Friday?"])("settle between them: %s", async (text) => {
    const room = createRoom();
    const posts = await room.say(text);

    expect(speakers(posts)).toEqual(["alpha", "beta", "alpha"]);
    expect(posts.at(-1)?.text).toContain("Settled");
    expect(room.isWaiting()).toBe(false);
  });

  it("plan again and again without losing the thread", async () => {
    const room = createRoom();
    const endings = new Set<string | undefined>();
    for (let round = 0; round < 4; round++) {
      const posts = await room.say("@alpha plan a launch");
      expect(speakers(posts)).toEqual(["alpha", "beta", "alpha"]);
      endings.add(posts.at(-1)?.text);
    }

    expect(endings.size).toBe(3);
  });

  it("hand a plan on to the one who plans", async () => {
    expect(speakers(await createRoom().say("@beta plan a party"))).toEqual(["beta", "alpha", "beta", "alpha"]);
  });

  it.each([
    ["alpha", "@alpha argue with @beta about tabs"],
    ["beta", "@beta argue with @alpha about tabs"],
  ])("argue until the budget ends it, and agree after Continue when %s begins", async (first, text) => {
    const room = createRoom();
    const posts = await room.say(text);

    expect(posts).toHaveLength(6);
    expect(posts[0]?.by).toBe(first);
    expect(new Set(speakers(posts)).size).toBe(2);
    expect(room.isWaiting()).toBe(true);

    const more = await room.proceed();

    expect(more.length).toBeGreaterThanOrEqual(4);
    expect(more.at(-1)?.text).toContain("Settled");
    expect(room.isWaiting()).toBe(false);
  });

  it.each([
    ["alpha", "beta"],
    ["beta", "alpha"],
  ])(
    "are paused at the tenth message of an argument that %s begins, and settle after Resume, also the second time",
    async (first, second) => {
      const rooms = await startRooms({ personas });
      const said = async () => (await rooms.lines()).filter((line) => !line.startsWith("Ann:"));

      for (let round = 0; round < 2; round++) {
        const before = (await said()).length;
        await rooms.say(`@${first} argue with @${second} about tabs`);
        await rooms.quiet();
        expect((await said()).length - before).toBe(6);
        await press(rooms, "troupe:continue");
        expect((await said()).length - before).toBe(10);
        const state = await rooms.troupe.reader.room(ROOM);
        expect(state?.pairs).toMatchObject([{ state: "paused", reason: "alternation", held: 1 }]);
        await press(rooms, "troupe:resume");

        const lines = await said();
        expect(lines.length - before).toBeLessThanOrEqual(12);
        expect(lines.at(-1)).toMatch(/Settled|no new doubts/);
      }
      expect((await rooms.troupe.reader.room(ROOM))?.notices.every(({ state }) => state === "done")).toBe(true);
    },
  );

  it("argue a second time in other words, and refuse a third time", async () => {
    const room = createRoom();
    const texts: string[] = [];
    for (let round = 0; round < 2; round++) {
      const posts = [...(await room.say("@alpha argue about tabs")), ...(await room.proceed())];
      expect(posts.at(-1)?.text).toContain("Settled");
      texts.push(...posts.map(({ text }) => text));
    }
    const third = await room.say("@alpha argue about tabs");

    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeGreaterThanOrEqual(20);
    expect(third).toHaveLength(1);
    expect(room.isWaiting()).toBe(false);
  });

  it("say no two things that are nearly the same", () => {
    const texts = personas.flatMap(({ script = [] }) =>
      script.flatMap(({ steps }) => steps.map((step) => ("say" in step ? step.say : ""))),
    );

    expect(texts.length).toBeGreaterThan(40);
    for (const [index, text] of texts.entries()) {
      for (const other of texts.slice(index + 1))
        expect(similarity(text, other), `${text}\n${other}`).toBeLessThan(0.6);
    }
  });

  it.each([
    "@alpha hello",
    "@alpha what can you do?",
    "@alpha the weather",
    "@alpha thanks",
    "@beta hi",
    "@beta the weather",
    "@beta thank you",
  ])("answer %s alone", async (text) => {
    const posts = await createRoom().say(text);

    expect(posts).toHaveLength(1);
    expect(posts[0]?.text).not.toBe("");
  });

  it.each(["@alpha help", "@alpha how is the weather?"])("offer what one can try to %s", async (text) => {
    const [post] = await createRoom().say(text);

    expect(post?.text).toContain("`@alpha plan a launch`");
    expect(post?.text).toContain("`@alpha argue with @beta about tabs`");
  });
});
