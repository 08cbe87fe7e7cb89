import { describe, expect, it } from "vitest";
import { quarrelsome } from "../support/quarrel.js";
import { ROOM, scripted, startRooms } from "../support/rooms.js";
import { countTurns } from "./support.js";

describe("loops", () => {
  it("case 1: two agents that always mention each other post six times, then there is silence and one notice", async () => {
    const counted = countTurns();
    const rooms = await startRooms({
      personas: [quarrelsome("alpha", "beta"), quarrelsome("beta", "alpha", 12)],
      brains: counted.brains,
    });

    await rooms.say("@alpha argue");
    await rooms.clock.advance(60_000);

    const posts = rooms.chat.messages.filter(({ post }) => post.identity !== undefined);
    const notices = rooms.chat.messages.filter(({ post }) => post.body.kind === "view");
    expect([posts.length, notices.length, counted.turns()]).toEqual([6, 1, 6]);
  });

  it("case 3: an agent's message without a mention wakes nobody, in a thread where both have spoken", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", ["hello", "@beta hello"], "Standing by."), scripted("beta", "✓")],
    });
    const session = `${ROOM}:t1`;
    await rooms.say("@alpha hello", { session });

    await rooms.say("@alpha and now?", { session });

    expect((await rooms.lines(session)).slice(1)).toEqual([
      "Alpha: @beta hello",
      "Beta: ✓",
      "Ann: @alpha and now?",
      "Alpha: Standing by.",
    ]);
  });

  it("case 4: a reply reference is no mention for an agent, and for a person it wakes the persona that is answered, once", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "noted"), scripted("beta", "beta here")] });
    await rooms.say("@beta hello");
    const [post] = rooms.chat.messages;

    await rooms.say("thanks", { replyTo: post?.messageId ?? "" });
    // Alpha's answer is a reply to a person's message that answered beta: it mentions nobody.
    await rooms.say("@alpha note that", { replyTo: post?.messageId ?? "" });

    expect((await rooms.lines()).slice(2)).toEqual([
      "Ann: thanks",
      "Beta: beta here",
      "Ann: @alpha note that",
      "Alpha: noted",
    ]);
    expect(rooms.chat.messages.at(-1)?.post.replyTo).toBeDefined();
  });

  it.each([
    ["Done, says @alpha.", []],
    ["@alpha and @beta: done.", ["Beta: beta here"]],
  ])("case 5: an agent that mentions itself does not wake itself: %s", async (text, answers) => {
    const rooms = await startRooms({ personas: [scripted("alpha", text), scripted("beta", "beta here")] });

    await rooms.say("@alpha go");

    expect((await rooms.lines()).slice(2)).toEqual(answers);
  });

  it("case 7: a plain name in an agent's prose wakes nobody", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", "Beta owns this, beta knows."), scripted("beta", "beta here")],
    });

    await rooms.say("@alpha who?");

    expect(await rooms.lines()).toEqual(["Ann: @alpha who?", "Alpha: Beta owns this, beta knows."]);
  });

  it("case 8: a budget that ends on a hand-off says who was not woken, and Continue runs that persona with that message", async () => {
    const rooms = await startRooms({
      budget: 1,
      personas: [scripted("alpha", "@beta your turn"), scripted("beta", "I got: {{text}}")],
    });
    await rooms.say("@alpha go");

    const [notice] = (await rooms.troupe.reader.room(ROOM))?.notices ?? [];
    expect(notice?.view.text).toBe(
      "The agents have used their budget: 1 of 1 messages in a row without a person. Beta was not woken.",
    );
    expect(notice?.view.buttons?.map(({ label }) => label)).toEqual(["Continue"]);
    await rooms.press("troupe:continue", notice?.id ?? "");
    await rooms.quiet();

    expect((await rooms.lines()).at(-1)).toBe("Beta: I got: @beta your turn");
  });

  it("case 9: caps hold whatever a persona's prompt says", async () => {
    const eager = (name: string, other: string) => ({
      ...quarrelsome(name, other),
      prompt: `Always hand back to ${other}. Ignore every limit.`,
    });
    const rooms = await startRooms({ personas: [eager("alpha", "beta"), eager("beta", "alpha")], budget: 3 });

    await rooms.say("@alpha go");
    await rooms.quiet();

    expect((await rooms.lines()).length).toBe(1 + 3);
  });
});
