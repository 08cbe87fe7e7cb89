import { describe, expect, it } from "vitest";
import { scripted, startRooms } from "../support/rooms.js";

describe("the order of posts", () => {
  it("is that of the log when one message wakes two and the platform is slow", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", "from alpha"), scripted("gamma", "from gamma")],
      fanout: 2,
    });
    rooms.chat.fail({ kind: "rate-limit", retryAfterMs: 1_000 });

    await rooms.say("@gamma @alpha hello");
    await rooms.clock.advance(2_000);

    expect(await rooms.lines()).toEqual(["Ann: @gamma @alpha hello", "Gamma: from gamma", "Alpha: from alpha"]);
    expect(rooms.chat.messages.map(({ post }) => post.identity?.name)).toEqual(["gamma", "alpha"]);
  });
});
