import { describe, expect, it } from "vitest";
import { createMemoryKeyValue } from "../../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import { scripted } from "../../support/rooms.js";
import { type SlackRoomsOptions, startSlackRooms, taken } from "../../support/slack-rooms.js";
import { openSlackTown } from "../../support/slack-town.js";
import { watchStore } from "../../support/watched-store.js";

const alpha = scripted("alpha", "you said: {{text}}");

/** A place for notes that can be cut off, as a process that dies cuts itself off. */
function mortalNotes(inner: ReturnType<typeof createMemoryKeyValue>) {
  let isCut = false;
  const alive = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isCut) throw new Error("the process is gone");
    return call();
  };
  return {
    cut: () => {
      isCut = true;
    },
    get: <T>(key: string) => alive(() => inner.get<T>(key)),
    getMany: <T>(keys: string[]) => alive(() => inner.getMany<T>(keys)),
    set: (key: string, value: unknown) => alive(() => inner.set(key, value)),
    delete: (key: string) => alive(() => inner.delete(key)),
  };
}

/** A workspace in which alpha has answered once, and then went down; what Slack sends from then on is lost. */
async function downTown() {
  const town = await openSlackTown();
  const store = createMemoryStore();
  const notes = createMemoryKeyValue("notes");
  const start = (over: Partial<SlackRoomsOptions> = {}) =>
    startSlackRooms({ personas: [alpha], town, store, notes, ...over });
  const first = await start();
  const before = town.slack.person("ann").say("general", "@alpha before");
  await taken(before);
  await first.shows("general", "you said: @alpha before");
  await first.stop();
  const lose = (channel: string, text: string, options: { thread?: { ts: string } } = {}) => {
    town.slack.courier.fail("lose");
    return town.slack.person("ann").say(channel, text, options);
  };
  return { ...town, store, notes, start, before, lose };
}

/** Starts, takes a live message in the middle of catching up, before this text is kept, and dies. */
async function dieBefore(text: string, channel: string, town: Awaited<ReturnType<typeof downTown>>) {
  const { slack, store, notes, start } = town;
  const watched = watchStore(store);
  let isThere = false;
  let die = () => {};
  const dead = new Promise<"fails">((resolve) => {
    die = () => resolve("fails");
  });
  watched.before = ({ append = [] }) => {
    if (!append.some(({ entry }) => entry.text === text)) return undefined;
    isThere = true;
    return dead;
  };
  const mortal = mortalNotes(notes);
  const starting = start({ store: watched, notes: mortal, connects: false });
  await slack.recorder.until(() => isThere);
  const rooms = await starting;
  const live = slack.person("bob").say(channel, "@alpha live");
  await taken(live);
  await rooms.shows(channel, "you said: @alpha live");
  watched.cut();
  mortal.cut();
  die();
  await rooms.stop();
}

describe("a crash in the middle of catching up", () => {
  it("leaves nothing unread behind what came in live, in channels and threads", async () => {
    const town = await downTown();
    const { slack, lose, before, start } = town;
    for (const number of [1, 2, 3]) lose("general", `@alpha number ${number}`);
    const root = lose("general", "a root");
    lose("general", "@alpha in the new thread", { thread: root });
    lose("general", "@alpha in the old thread", { thread: before });
    await dieBefore("@alpha number 2", "general", town);

    const { shows, log } = await start();
    await shows("general", "you said: @alpha number 3");
    await shows("general", "you said: @alpha in the new thread");
    await shows("general", "you said: @alpha in the old thread");

    const kept = (await log("general")).flatMap(({ entry }) => (entry.kind === "message" ? [entry.text] : []));
    expect(kept.toSorted()).toEqual(
      ["@alpha before", "@alpha live", "@alpha number 1", "@alpha number 2", "@alpha number 3", "a root"].toSorted(),
    );
    const said = slack.transcript("general").filter((line) => line.includes("you said:"));
    expect(new Set(said).size).toBe(said.length);
    expect(said).toHaveLength(7);
  });

  it("leaves nothing unread in a channel that was new then", async () => {
    const town = await downTown();
    const { slack, lose, start } = town;
    slack.workspace.addChannel({ name: "new", members: ["ann", "bob", "troupe"] });
    lose("new", "@alpha one");
    lose("new", "@alpha two");
    await dieBefore("@alpha one", "new", town);

    const second = await start();
    await second.shows("new", "you said: @alpha one");
    await second.shows("new", "you said: @alpha two");
  });

  it("is forgotten once all has been read, and a note that cannot be read is left out", async () => {
    const { notes, start, lose, slack } = await downTown();
    lose("general", "@alpha one");
    const second = await start();
    await second.shows("general", "you said: @alpha one");
    await second.stop();
    const key = `slack:${slack.workspace.team.id}:unread`;
    expect(await notes.get(key)).toBeUndefined();

    await notes.set(key, { channels: "all of them" });
    lose("general", "@alpha two");
    const third = await start();
    await third.shows("general", "you said: @alpha two");
    expect(third.logs.lines.filter(({ message }) => message.includes("cannot be read"))).toHaveLength(1);
  });
});

describe("a channel that could not be read", () => {
  it("is read at the next start", async () => {
    const { start, lose, slack } = await downTown();
    lose("general", "@alpha one");
    slack.faults.add({ method: "conversations.history", times: 1, fault: { kind: "error", error: "fatal_error" } });
    const second = await start();
    expect(second.logs.lines.some(({ message }) => message.startsWith("could not read what was said"))).toBe(true);
    const live = slack.person("ann").say("general", "@alpha live");
    await taken(live);
    await second.shows("general", "you said: @alpha live");
    await second.stop();

    const third = await start();
    await third.shows("general", "you said: @alpha one");
  });

  it("is read after a while, too", async () => {
    const { start, lose, slack, clock } = await downTown();
    lose("general", "@alpha one");
    slack.faults.add({ method: "conversations.history", times: 1, fault: { kind: "error", error: "fatal_error" } });
    const { shows, logs } = await start();
    expect(logs.lines.some(({ message }) => message.startsWith("could not read what was said"))).toBe(true);

    await clock.advance(5 * 60_000);
    await shows("general", "you said: @alpha one");
  });

  it("for its thread's root is gone still gives everything else", async () => {
    const { start, lose, slack, before } = await downTown();
    lose("general", "@alpha one");
    slack.faults.add({
      method: "conversations.replies",
      when: ({ ts }) => ts === before.ts,
      fault: { kind: "error", error: "thread_not_found" },
    });

    const second = await start();
    await second.shows("general", "you said: @alpha one");
    expect(second.logs.lines.some(({ message }) => message.startsWith("could not read what was said"))).toBe(false);
  });
});
