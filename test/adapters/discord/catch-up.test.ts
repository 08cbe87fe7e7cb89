import { describe, expect, it, vi } from "vitest";
import type { KeyValue } from "../../../src/ports/key-value.js";
import { createMemoryKeyValue } from "../../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import type { Person, Said } from "../../fakes/discord/person.js";
import { type DiscordRooms, startDiscordRooms } from "../../support/discord-rooms.js";
import { type DiscordTown, openDiscordTown } from "../../support/discord-town.js";
import { settle } from "../../support/fake-clock.js";
import { passUntil } from "../../support/passing.js";
import { createPuppets } from "../../support/puppets.js";
import { scripted } from "../../support/rooms.js";

const alpha = scripted("alpha", "Alpha here: {{text}}");

/** A town whose adapter has heard this and is away since. */
async function away(before: (rooms: DiscordRooms) => Promise<void>) {
  const town = await openDiscordTown();
  const store = createMemoryStore();
  const rooms = await startDiscordRooms({ personas: [alpha], town, store });
  await before(rooms);
  await rooms.stop();
  return {
    ...town,
    back: (adapter: { readonly notes?: KeyValue } = {}) =>
      startDiscordRooms({ personas: [alpha], town, store, adapter }),
  };
}

async function saidHello(rooms: DiscordRooms): Promise<void> {
  rooms.discord.person("ann").say("general", "@alpha hello");
  await rooms.shows("general", "Alpha here: @alpha hello");
}

/** Answers in a channel or thread, in order. */
function answers({ discord }: DiscordTown, channel: string): readonly string[] {
  const lines = discord.transcript(channel).filter((line) => line.includes("Alpha here"));
  return lines.map((line) => line.slice(line.indexOf("Alpha here: ") + "Alpha here: ".length));
}

async function answered(town: DiscordTown, channel: string, count: number): Promise<readonly string[]> {
  await town.discord.recorder.until(() => answers(town, channel).length >= count);
  return answers(town, channel);
}

describe("what was said in Discord while nobody listened", () => {
  it("is answered, oldest first and once", async () => {
    const town = await away(saidHello);
    const ann = town.discord.person("ann");
    for (const word of ["one", "two", "three"]) ann.say("general", `@alpha ${word}`);

    await town.back();

    const expected = ["@alpha hello", "@alpha one", "@alpha two", "@alpha three"];
    expect(await answered(town, "general", 4)).toEqual(expected);
  });

  it("too long ago is kept, listed in one line and not answered", async () => {
    const town = await away(saidHello);
    town.discord.person("ann").say("general", "@alpha old");
    await town.clock.advance(61 * 60_000);
    town.discord.person("ann").say("general", "@alpha new");

    const rooms = await town.back();

    expect(await answered(town, "general", 2)).toEqual(["@alpha hello", "@alpha new"]);
    const old = (await rooms.log("general")).find(({ entry }) => entry.text === "@alpha old");
    expect(old?.outcome).toEqual({ kind: "ignored", reason: "expired" });
  });

  it("in channels, threads and posts that nobody has heard of yet is answered there", async () => {
    const town = await away(saidHello);
    const ann = town.discord.person("ann");
    ann.say("random", "@alpha in another channel");
    const thread = ann.openThread("general", "a thread");
    ann.say("general", "@alpha in a thread", { thread: thread.id });
    const post = ann.openPost("ideas", "A boat", "@alpha in a post");

    await town.back();

    expect(await answered(town, "random", 1)).toEqual(["@alpha in another channel"]);
    expect(await answered(town, thread.id, 1)).toEqual(["@alpha in a thread"]);
    expect(await answered(town, post.channel, 1)).toEqual(["@alpha in a post"]);
  });

  it("in a direct conversation and in a thread that apps are not told of is answered", async () => {
    let thread = "";
    const town = await away(async (rooms) => {
      const cleo = rooms.discord.person("cleo");
      thread = cleo.openThread("general", "hidden", { isUncached: true }).id;
      cleo.say("general", "@alpha first", { thread });
      await rooms.shows(thread, "Alpha here: @alpha first");
      const said = cleo.say("@troupe", "first");
      await rooms.shows(said.channel, "Alpha here: first");
    });
    const cleo = town.discord.person("cleo");
    cleo.say("general", "@alpha second", { thread });
    const { channel } = cleo.say("@troupe", "second");

    await town.back();

    expect(await answered(town, thread, 2)).toEqual(["@alpha first", "@alpha second"]);
    expect(await answered(town, channel, 2)).toEqual(["first", "second"]);
  });

  it("is read page by page", async () => {
    const town = await away(saidHello);
    for (let i = 0; i < 250; i++) town.discord.person("ann").say("general", `number ${i}`);

    const rooms = await town.back();

    const isSaid = (text: string) => text.startsWith("number");
    const entries = await rooms.logged(
      "general",
      (all) => all.filter(({ entry }) => isSaid(entry.text)).length === 250,
    );
    const said = entries.map(({ entry }) => entry.text).filter(isSaid);
    expect(said).toEqual(Array.from({ length: 250 }, (_, i) => `number ${i}`));
  });

  it("is passed over where it cannot be read, and nowhere else", async () => {
    const town = await away(async (rooms) => {
      await saidHello(rooms);
      rooms.discord.person("ann").say("random", "@alpha hello");
      await rooms.shows("random", "Alpha here:");
    });
    const { discord } = town;
    for (const channel of ["general", "random"]) discord.person("ann").say(channel, `@alpha in ${channel}`);
    const general = discord.workspace.channel("general").id;
    discord.faults.add({
      method: "list_messages",
      fault: { kind: "error", code: 50_001 },
      when: ({ params }) => Object.values(params).includes(general),
      times: 10,
    });

    const rooms = await town.back();

    expect(await answered(town, "random", 2)).toEqual(["@alpha hello", "@alpha in random"]);
    await discord.recorder.until(() => rooms.logs.lines.some(({ message }) => message.includes("could not read")));
    expect(answers(town, "general")).toEqual(["@alpha hello"]);
  });

  it("during an outage is answered once, all twenty of them", async () => {
    const town = await openDiscordTown();
    const rooms = await startDiscordRooms({ personas: [alpha], town });
    await saidHello(rooms);
    const { discord, clock } = town;
    await discord.down();
    const words = Array.from({ length: 20 }, (_, i) => `@alpha number ${i}`);
    for (const word of words) {
      discord.person("ann").say("general", word);
      await clock.advance(1_500);
    }
    const { identifies } = discord.gateway;

    await discord.up();
    const { length } = discord.gateway.connections;
    await discord.recorder.until(() => discord.gateway.connections.length > length);
    await passUntil({ clock }, () => discord.gateway.identifies !== identifies || discord.gateway.resumes > 0, 1_000);

    expect(await answered(town, "general", 21)).toEqual(["@alpha hello", ...words]);
    discord.person("ann").say("general", "@alpha a marker");
    expect(await answered(town, "general", 22)).toEqual(["@alpha hello", ...words, "@alpha a marker"]);
  });

  it("is read at the next start too when the process dies in the middle of it", async () => {
    const town = await away(saidHello);
    const { discord } = town;
    const notes = createMemoryKeyValue("notes");
    discord.person("ann").say("general", "@alpha meanwhile");
    // History does not come any more in this life, and what is said now would pass for the newest that is known.
    const stop = discord.faults.add({ method: "list_messages", fault: { kind: "hang" }, times: 10 });
    const dying = await town.back({ notes });
    discord.person("ann").say("general", "@alpha live");
    await dying.shows("general", "Alpha here: @alpha live");
    await dying.stop();
    stop();

    await town.back({ notes });

    expect(await answered(town, "general", 3)).toEqual(["@alpha hello", "@alpha live", "@alpha meanwhile"]);
  });

  it("and was edited since is taken as it stands now", async () => {
    const town = await away(saidHello);
    const ann = town.discord.person("ann");
    const said = ann.say("general", "@alpha forst");
    ann.edit(said, "@alpha first");

    await town.back();

    expect(await answered(town, "general", 2)).toEqual(["@alpha hello", "@alpha first"]);
  });
});

describe("what was changed in Discord while nobody listened", () => {
  /** Alpha was busy when the adapter went away, and a second message waits. */
  async function waiting(change: (ann: Person, said: Said) => void) {
    const town = await openDiscordTown();
    const puppets = createPuppets();
    const rooms = await startDiscordRooms({ personas: [puppets.persona("alpha")], brains: [puppets.brain], town });
    const ann = town.discord.person("ann");
    puppets.plan("alpha", { wait: true });
    ann.say("general", "@alpha first");
    await town.discord.recorder.until(() => puppets.waiting === 1);
    const said = ann.say("general", "@alpha second");
    await rooms.logged("general", (all) => all.some(({ entry }) => entry.id === said.id));
    await town.clock.advance(61_000);
    await rooms.adapter.stop(3_000);
    change(ann, said);
    const asked = town.discord.recorder.of("list_messages").length;
    await rooms.adapter.start(rooms.troupe.inbox, new AbortController().signal);
    await town.discord.recorder.until(() => town.discord.recorder.of("list_messages").length > asked);
    ann.say("general", "@alpha a marker");
    await rooms.logged("general", (all) => all.some(({ entry }) => entry.text === "@alpha a marker"));
    await settle();
    puppets.open();
    await town.discord.recorder.until(() => puppets.turns.includes("alpha<@alpha a marker"));
    return puppets.turns;
  }

  it("is what the persona gets, when it still waits", async () => {
    const turns = await waiting((ann, said) => ann.edit(said, "@alpha second, mended"));

    await vi.waitUntil(() => turns.length === 3, { timeout: 30_000 });
    expect(turns.toSorted()).toEqual(["alpha<@alpha a marker", "alpha<@alpha first", "alpha<@alpha second, mended"]);
  });

  it("is not answered when it was taken back", async () => {
    const turns = await waiting((ann, said) => ann.remove(said));

    expect(turns).toEqual(["alpha<@alpha first", "alpha<@alpha a marker"]);
  });
});
