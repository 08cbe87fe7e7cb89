import { describe, expect, it } from "vitest";
import type { Answer } from "../../../src/ports/platform.js";
import { answer, gate, shown } from "../../support/discord-asks.js";
import { openDesk } from "../../support/discord-desk.js";

describe("Completion in Discord", () => {
  it("offers the team's personas by handle, display name, or a word of it, from memory alone", async () => {
    let team = ["alpha", "beta"];
    const personas = () => team.map((name) => ({ name, displayName: `The ${name.toUpperCase()}`, role: false }));
    const { discord } = await openDesk({ personas, reader: { room: () => new Promise(() => {}) } });
    const cleo = discord.person("cleo");
    const offered = async (typed: string) => {
      const asked = cleo.autocomplete("general", "/agent", typed);
      return discord.recorder.until(() => asked.choices?.map(({ value }) => value));
    };

    expect(await offered("host name:al")).toEqual(["alpha"]);
    expect(await offered("host name:BET")).toEqual(["beta"]);
    expect(await offered("host name:the")).toEqual(["alpha", "beta"]);
    expect(await offered("host name:zzz")).toEqual([]);
    expect(await offered("add names:alpha b")).toEqual(["alpha beta"]);
    expect(await offered("add names:alpha a")).toEqual([]);
    expect(await offered("why message:1")).toEqual([]);
    team = ["gamma"];
    expect(await offered("host name:")).toEqual(["gamma"]);
  });

  it("offers no more than Discord takes", async () => {
    const personas = () =>
      Array.from({ length: 60 }, (_, index) => ({ name: `p${index}`, displayName: "x".repeat(120), role: false }));
    const { discord } = await openDesk({ personas });
    const asked = discord.person("cleo").autocomplete("general", "/agent", "stop name:p");

    expect(await discord.recorder.until(() => asked.choices)).toHaveLength(25);
  });
});

describe("The desk", () => {
  it("answers what came before it stopped, and tells who comes then to try again", async () => {
    const open = await openDesk();
    const { discord, desk, commands, answerWith } = open;
    const work = gate<Answer>();
    answerWith(() => work.promise);
    const before = discord.person("ann").command("general", "/agent", "room");
    await discord.recorder.until(() => commands.length === 1);
    const stopped = desk.stop(5_000);
    const after = discord.person("ann").command("general", "/agent", "room");
    await discord.recorder.until(() => after.callback !== undefined);
    work.open(answer("still here"));
    await stopped;

    expect(before.original?.content).toBe("still here");
    expect(after.callback).toMatchObject({ type: 4, data: { content: expect.stringContaining("try again") } });
    expect(commands).toHaveLength(1);
  });

  it("does no more than so much at once, and tells who comes then", async () => {
    const { discord, commands, answerWith } = await openDesk();
    const work = gate<Answer>();
    answerWith(() => work.promise);
    const ann = discord.person("ann");
    const asked = Array.from({ length: 201 }, () => ann.command("general", "/agent", "room"));
    const typing = ann.autocomplete("general", "/agent", "stop name:a");
    await discord.recorder.until(() => asked.every(({ callback }) => callback !== undefined));
    const types = asked.map(({ callback }) => callback?.type);

    expect(types.filter((type) => type === 5)).toHaveLength(200);
    expect(types.filter((type) => type === 4)).toHaveLength(1);
    expect(typing.choices).toBeUndefined();
    work.open(answer("at last"));
    await discord.recorder.until(() => asked.every(({ isThinking }) => !isThinking));
    expect(commands).toHaveLength(200);
  });

  it("stops in time though an answer does not come", async () => {
    const { discord, desk, clock, commands, answerWith } = await openDesk();
    answerWith(() => new Promise(() => {}));
    discord.person("ann").command("general", "/agent", "room");
    await discord.recorder.until(() => commands.length === 1);
    const stopped = desk.stop(5_000);
    await clock.advance(5_000);

    await expect(stopped).resolves.toBeUndefined();
  });

  it.each([null, "text", {}, { id: "1", token: "t", type: 2 }, { type: 3, data: {} }, [], 7])(
    "leaves alone what is no interaction: %j",
    async (odd) => {
      const { desk, logs, commands, presses } = await openDesk();
      desk.take(odd);

      expect(logs.lines).toContainEqual(
        expect.objectContaining({ level: "warn", message: "an interaction from Discord has not the form of one" }),
      );
      expect([commands, presses]).toEqual([[], []]);
    },
  );

  it("never puts what people typed into the log at info and above", async () => {
    const { discord, answerWith, logs, commands } = await openDesk();
    answerWith(() => Promise.reject(new Error("broken")));
    const asked = discord.person("ann").command("general", "/agent", "why message:secretword");
    await shown(discord, asked);

    expect(commands).toHaveLength(1);
    expect(JSON.stringify(logs.lines.filter(({ level }) => level !== "debug"))).not.toContain("secretword");
  });
});
