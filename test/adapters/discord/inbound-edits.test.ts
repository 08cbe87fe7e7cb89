import { describe, expect, it } from "vitest";
import { createKnownMessages } from "../../../adapters/discord/inbound/known.js";
import { startDiscordRooms } from "../../support/discord-rooms.js";
import { settle } from "../../support/fake-clock.js";
import { createPuppets } from "../../support/puppets.js";

/** Alpha is busy with a first message, so that a second one waits. */
async function busyRoom() {
  const puppets = createPuppets();
  const rooms = await startDiscordRooms({ personas: [puppets.persona("alpha")], brains: [puppets.brain] });
  puppets.plan("alpha", { wait: true });
  rooms.discord.person("ann").say("general", "@alpha first");
  await rooms.discord.recorder.until(() => puppets.waiting === 1);
  return { ...rooms, puppets };
}

/** What alpha was woken with, once it has been woken with this. */
async function turnsUntil(rooms: Awaited<ReturnType<typeof busyRoom>>, last: string): Promise<readonly string[]> {
  await rooms.discord.recorder.until(() => rooms.puppets.turns.includes(last));
  return rooms.puppets.turns;
}

describe("an edit in Discord", () => {
  it("of a message that waits is what the persona gets", async () => {
    const rooms = await busyRoom();
    const ann = rooms.discord.person("ann");
    const said = ann.say("general", "@alpha scond");
    await rooms.logged("general", (all) => all.some(({ entry }) => entry.id === said.id));

    ann.edit(said, "@alpha second");
    await settle();
    rooms.puppets.open();
    ann.say("general", "@alpha third");

    expect(await turnsUntil(rooms, "alpha<@alpha third")).toEqual([
      "alpha<@alpha first",
      "alpha<@alpha second",
      "alpha<@alpha third",
    ]);
  });

  it("that adds the first mention wakes once", async () => {
    const puppets = createPuppets();
    const { discord } = await startDiscordRooms({ personas: [puppets.persona("alpha")], brains: [puppets.brain] });
    const ann = discord.person("ann");
    const said = ann.say("general", "hello there");

    ann.edit(said, "hello there @alpha");
    await discord.recorder.until(() => puppets.turns.length === 1);
    ann.edit(said, "hello there @alpha, and again");
    ann.say("general", "@alpha a marker");
    await discord.recorder.until(() => puppets.turns.length === 2);

    expect(puppets.turns).toEqual(["alpha<hello there @alpha", "alpha<@alpha a marker"]);
  });

  it("is nothing when only a preview, a pin or a thread has come to the message", async () => {
    const rooms = await busyRoom();
    const ann = rooms.discord.person("ann");
    const said = ann.say("general", "@alpha see https://example.org/");
    await rooms.logged("general", (all) => all.some(({ entry }) => entry.id === said.id));

    ann.preview(said, { title: "An example", type: "link" });
    ann.pin(said);
    ann.openThread("general", "about it", { on: said });
    rooms.puppets.open();
    ann.say("general", "@alpha a marker");

    expect(await turnsUntil(rooms, "alpha<@alpha a marker")).toHaveLength(3);
    const outcomes = (await rooms.log("general")).map(({ outcome }) => outcome?.kind);
    expect(outcomes).not.toContain("superseded");
  });
});

describe("a delete in Discord", () => {
  it("of a message that waits takes it back, one by one and several at once", async () => {
    const rooms = await busyRoom();
    const ann = rooms.discord.person("ann");
    const [one, two, three] = ["second", "third", "fourth"].map((word) => ann.say("general", `@alpha ${word}`));
    await rooms.logged("general", (all) => all.some(({ entry }) => entry.id === three?.id));

    if (one) ann.remove(one);
    if (two && three) ann.removeAll([two, three]);
    await settle();
    rooms.puppets.open();
    ann.say("general", "@alpha a marker");

    expect(await turnsUntil(rooms, "alpha<@alpha a marker")).toEqual(["alpha<@alpha first", "alpha<@alpha a marker"]);
  });

  it("of a message of before the start is known by the log", async () => {
    const { discord, troupe, session, logged } = await startDiscordRooms({ personas: [] });
    const said = discord.person("ann").say("general", "hello");
    await logged("general", (all) => all.length === 1);

    const known = createKnownMessages(troupe.reader);

    expect(await known.authorOf(session("general"), said.id)).toBe(discord.person("ann").id);
    expect(await known.authorOf(session("general"), "12345678901234567")).toBeUndefined();
    expect(await known.authorOf(session("random"), said.id)).toBeUndefined();
  });
});
