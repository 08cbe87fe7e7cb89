import { describe, expect, it } from "vitest";
import { RECORDS } from "../../src/engine/records.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { createLogLines } from "../support/log-lines.js";
import { BOB, ROOM, scripted, startRooms } from "../support/rooms.js";
import { watchStore } from "../support/watched-store.js";

const alpha = scripted("alpha", "answer to {{text}}");

async function watchedRooms() {
  const inner = createMemoryStore();
  await inner.open();
  const store = watchStore(inner);
  const logger = createLogLines();
  return { store, logger, rooms: await startRooms({ personas: [alpha], store, logger }) };
}

describe("the engine", () => {
  it("posts what it could not post while the store failed, without another message", async () => {
    const { store, rooms } = await watchedRooms();
    store.before = (change) => (change.put?.some(isBeingSent) ? "fails" : undefined);
    await rooms.say("@alpha one");
    expect(rooms.chat.messages).toEqual([]);

    store.before = () => undefined;
    await rooms.clock.advance(31_000);

    expect(rooms.chat.messages.map(({ post }) => post.body)).toEqual([{ kind: "text", text: "answer to @alpha one" }]);
  });

  it("answers what it could not decide while the store failed, without another message", async () => {
    const { store, rooms } = await watchedRooms();
    store.before = (change) => (change.turn ? "fails" : undefined);
    await rooms.say("@alpha one");
    await rooms.clock.advance(60_000);
    expect(await rooms.lines()).toHaveLength(1);

    store.before = () => undefined;
    await rooms.clock.advance(60_000);

    expect(await rooms.lines()).toEqual(["Ann: @alpha one", "Alpha: answer to @alpha one"]);
  });

  it("decides afresh when a record that a decision rests on has changed", async () => {
    const { store, rooms } = await watchedRooms();
    let conflicts = 2;
    store.before = (change) => (change.turn && conflicts-- > 0 ? "conflict" : undefined);

    await rooms.say("@alpha one");
    await rooms.quiet();

    expect(await rooms.lines()).toEqual(["Ann: @alpha one", "Alpha: answer to @alpha one"]);
  });

  it("goes on looking for work when it could not look once", async () => {
    const { store, logger, rooms } = await watchedRooms();
    const { dirty } = store;
    store.dirty = () => Promise.reject(new Error("busy"));
    await rooms.clock.advance(31_000);
    store.dirty = dirty;
    await rooms.clock.advance(31_000);

    expect(logger.lines.filter(({ message }) => message.includes("could not look"))).toHaveLength(1);
  });

  it("tells whoever gave a command by message that it failed, and puts the reason into its log only", async () => {
    const { store, logger, rooms } = await watchedRooms();
    store.before = (change) => (change.append?.some(({ entry }) => entry.kind === "notice") ? "fails" : undefined);

    await rooms.say("@Troupe host alpha", {});

    expect(rooms.chat.whispers.map(({ view }) => view.text)).toEqual(["The command failed; the log has the details."]);
    expect(logger.lines.some(({ message }) => message === "a command failed")).toBe(true);
  });

  it("answers a command although nobody can be shown something alone", async () => {
    const { logger, rooms } = await watchedRooms();
    rooms.chat.ephemeral = () => Promise.reject(new Error("not today"));

    await rooms.say("@Troupe room", { from: BOB });
    await rooms.say("@alpha one");

    expect((await rooms.lines()).at(-1)).toBe("Alpha: answer to @alpha one");
    expect(logger.lines.some(({ message }) => message === "could not show a hint")).toBe(true);
  });

  it("says what is missing until it runs and from when it stops; a second stop waits for nothing", async () => {
    const { rooms } = await watchedRooms();
    expect(rooms.troupe.readiness()).toEqual({ ready: true, missing: [] });

    await rooms.troupe.stop(1_000);
    await rooms.troupe.stop(1_000);

    expect(rooms.troupe.readiness().missing).toContainEqual({ part: "engine", problem: "stopping" });
  });

  it("is not ready while the store takes no commits", async () => {
    const { rooms, store } = await watchedRooms();
    store.problem = () => "the last write failed";

    expect(rooms.troupe.readiness()).toEqual({
      ready: false,
      missing: [{ part: "store", problem: "the last write failed" }],
    });
  });

  it("stops although an adapter cannot, and says so", async () => {
    const { logger, rooms } = await watchedRooms();
    rooms.chat.stop = () => Promise.reject(new Error("stuck"));

    await rooms.troupe.stop(1_000);

    expect(logger.lines.some(({ message }) => message === "an adapter did not stop cleanly")).toBe(true);
  });

  it("writes who is new in the team into the rooms that follow it, also at its start", async () => {
    const store = createMemoryStore();
    const settings = createMemoryKeyValue("settings");
    const first = await startRooms({ personas: [alpha], store, settings });
    await first.say("hello");

    const second = await startRooms({ personas: [alpha, scripted("beta")], store, settings });
    expect((await second.store.get<{ roster: string[] }>(ROOM, RECORDS.room, "room"))?.value.roster).toEqual([
      "alpha",
      "beta",
    ]);
    await second.troupe.setTeam({ name: "acme", personas: [alpha, scripted("gamma")] });

    const roster = (await second.troupe.reader.room(ROOM))?.roster.map(({ name, missing }) => [name, missing]);
    expect(roster).toEqual([
      ["alpha", false],
      ["beta", true],
      ["gamma", false],
    ]);
  });

  it("uses the configured values where a stored setting is damaged", async () => {
    const settings = createMemoryKeyValue("settings");
    for (const [key, value] of Object.entries({ budget: "many", fanout: 0, wake: 3, reply: null, guard: "off" })) {
      await settings.set(`${ROOM}/${key}`, value);
    }
    const rooms = await startRooms({ personas: [alpha], settings, budget: 4 });
    await rooms.say("@alpha hello");

    expect((await rooms.troupe.reader.room(ROOM))?.settings).toMatchObject({
      budget: 4,
      fanout: 1,
      wake: "mention",
      reply: "channel",
    });
  });
});

/** The commit that says that a post is under way. */
function isBeingSent({ kind, value }: { readonly kind: string; readonly value: unknown }): boolean {
  return kind === RECORDS.outbox && JSON.stringify(value).includes('"sending"');
}
