import { describe, expect, it } from "vitest";
import type { Persona, ScriptStep } from "../../src/domain/persona.js";
import type { Logged } from "../../src/ports/store.js";
import { ROOM, scripted, startRooms } from "../support/rooms.js";

const send = (to: string, text: string): ScriptStep => ({ tool: "send_message", input: { to, text } });

function results(log: readonly Logged[]): readonly string[] {
  return log.flatMap(({ entry }) => (entry.kind === "tool_result" ? [entry.text] : []));
}

describe("room tools", () => {
  it("send_message posts with the mention written out and wakes its addressee only, after the turn", async () => {
    const rooms = await startRooms({
      personas: [
        scripted("alpha", { steps: [send("beta", "please ask @gamma later"), { say: "I told beta." }] }),
        scripted("beta", "heard"),
        scripted("gamma", "I should not speak"),
      ],
    });

    await rooms.say("@alpha go");
    await rooms.quiet();

    expect(await rooms.lines()).toEqual([
      "Ann: @alpha go",
      "Alpha: @beta please ask @gamma later",
      "Alpha: I told beta.",
      "Beta: heard",
    ]);
    expect(results(await rooms.log())).toEqual(["delivered: beta answers after your turn"]);
    expect(rooms.chat.messages.map(({ post }) => post.identity?.name)).toEqual(["alpha", "alpha", "beta"]);
  });

  it("send_message beyond the budget is posted, wakes nobody, says so, and Continue delivers it", async () => {
    const rooms = await startRooms({
      budget: 2,
      personas: [
        scripted("alpha", { times: 1, steps: [send("beta", "one"), send("beta", "two")] }),
        scripted("beta", "got {{text}}"),
      ],
    });

    await rooms.say("@alpha go");
    await rooms.quiet();

    expect(results(await rooms.log())).toEqual([
      "delivered: beta answers after your turn",
      "suppressed: the room's budget of agent messages is used up; beta was not woken, a person can continue",
    ]);
    expect(await rooms.lines()).toEqual([
      "Ann: @alpha go",
      "Alpha: @beta one",
      "Alpha: @beta two",
      "Beta: got @beta one",
    ]);
    const notice = (await rooms.troupe.reader.room(ROOM))?.notices[0];
    await rooms.press("troupe:continue", notice?.id ?? "");
    await rooms.quiet();
    expect((await rooms.lines()).at(-1)).toBe("Beta: got @beta two");
  });

  it.each([
    ["nobody", "refused: no persona of that name is in this room. In this room: beta."],
    ["alpha", "refused: that is you"],
    ["betta", "refused: no persona of that name is in this room. Did you mean beta?"],
  ])("send_message to %s is refused and changes nothing", async (to, answer) => {
    const rooms = await startRooms({
      personas: [scripted("alpha", { steps: [send(to, "hi")] }), scripted("beta", "ok")],
    });

    await rooms.say("@alpha go");
    await rooms.quiet();

    expect(results(await rooms.log())).toEqual([answer]);
    expect(await rooms.lines()).toEqual(["Ann: @alpha go"]);
  });

  it.each([" \n ", "\u200b\u2060"])("send_message refuses the blank text %j", async (text) => {
    const rooms = await startRooms({
      personas: [scripted("alpha", { steps: [send("beta", text)] }), scripted("beta", "ok")],
    });

    await rooms.say("@alpha go");
    await rooms.quiet();

    expect(results(await rooms.log())).toEqual(["refused: the text is blank"]);
    expect(await rooms.lines()).toEqual(["Ann: @alpha go"]);
  });

  it("wrong input is answered with what is wrong and is no act", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", { steps: [{ tool: "send_message", input: { to: 3 } }] })],
    });

    await rooms.say("@alpha go");

    const [result] = results(await rooms.log());
    expect(result).toMatch(/^invalid input: to: .*; text: /);
  });

  it("list_room names the members, the host and what is left of the budget", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", { steps: [{ tool: "list_room", input: {} }] }), scripted("beta", "ok")],
    });
    await rooms.command("agent host beta");

    await rooms.say("@alpha go");

    expect(results(await rooms.log())).toEqual([
      "@alpha (Alpha) [you]: The persona alpha.\n@beta (Beta) [host]: The persona beta.\nAgent messages without a person: 0 of 6.",
    ]);
  });

  it("a persona has only the tools that its file allows", async () => {
    const limited: Persona = { ...scripted("alpha", { steps: [send("beta", "hi")] }), tools: ["list_*"] };
    const rooms = await startRooms({ personas: [limited, scripted("beta", "ok")] });

    await rooms.say("@alpha go");
    await rooms.quiet();

    expect((await rooms.log()).filter(({ entry }) => entry.kind === "error")).toHaveLength(1);
    expect(await rooms.lines()).toEqual(["Ann: @alpha go"]);
  });

  it("idle ends the turn in silence", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", { steps: [{ say: "never mind" }, { tool: "idle", input: {} }] })],
    });

    await rooms.say("@alpha go");

    expect(await rooms.lines()).toEqual(["Ann: @alpha go"]);
  });
});
