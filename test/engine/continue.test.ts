import { describe, expect, it } from "vitest";
import type { ScriptStep } from "../../src/domain/persona.js";
import { ROOM, scripted, startRooms, type TestRooms } from "../support/rooms.js";

const send = (to: string, text: string): ScriptStep => ({ tool: "send_message", input: { to, text } });

async function pressContinue(rooms: TestRooms) {
  const notices = (await rooms.troupe.reader.room(ROOM))?.notices ?? [];
  const answer = await rooms.press("troupe:continue", notices.find(({ state }) => state === "open")?.id ?? "");
  await rooms.quiet();
  return answer;
}

describe("Continue", () => {
  it("delivers every message that one persona did not get, each with a turn and a post of its own", async () => {
    const rooms = await startRooms({
      budget: 1,
      personas: [
        scripted("alpha", { times: 1, steps: [send("beta", "first"), send("beta", "second"), send("beta", "third")] }),
        scripted("beta", "got {{text}}"),
      ],
      guard: { enabled: false },
    });
    await rooms.say("@alpha go");
    await rooms.quiet();
    // The budget of one is used up by the first message already; what Continue delivers is counted then.
    await rooms.command("agent budget 20");

    await pressContinue(rooms);

    expect((await rooms.lines()).filter((line) => line.startsWith("Beta"))).toEqual([
      "Beta: got @beta first",
      "Beta: got @beta second",
      "Beta: got @beta third",
    ]);
    const posted = rooms.chat.messages.flatMap(({ post }) => (post.body.kind === "text" ? [post.body.text] : []));
    expect(posted.filter((text) => text.startsWith("got"))).toEqual([
      "got @beta first",
      "got @beta second",
      "got @beta third",
    ]);
  });

  it("lets each of the turns that it starts for one persona use its tools and fail on its own", async () => {
    const rooms = await startRooms({
      budget: 1,
      personas: [
        scripted("alpha", { when: "go", times: 1, steps: [send("beta", "one"), send("beta", "two")] }),
        scripted("beta", { steps: [send("gamma", "about {{text}}"), { fail: "no." }] }),
        scripted("gamma", ["never", ""]),
      ],
      guard: { enabled: false },
    });
    await rooms.say("@alpha go");
    await rooms.quiet();
    await rooms.command("agent budget 20");

    await pressContinue(rooms);

    expect((await rooms.lines()).filter((line) => line.startsWith("Beta"))).toEqual([
      "Beta: @gamma about @beta one",
      "Beta: @gamma about @beta two",
    ]);
    expect((await rooms.log()).filter(({ entry }) => entry.kind === "error")).toHaveLength(2);
    expect((await rooms.troupe.reader.room(ROOM))?.notices.filter(({ id }) => id.startsWith("failed"))).toHaveLength(2);
  });
});
