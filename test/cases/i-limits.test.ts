import { describe, expect, it } from "vitest";
import { createScriptBrain } from "../../src/brain/script/script-brain.js";
import { ROOM, scripted, startRooms } from "../support/rooms.js";
import { watchTurns } from "./support.js";

describe("limits and who speaks next", () => {
  it("case 40: of nine sessions never more than three have a turn at once, and none is lost", async () => {
    let running = 0;
    let most = 0;
    const rooms = await startRooms({
      personas: [scripted("alpha", "done")],
      limits: { maxConcurrentTurns: 3 },
      brains: (clock) => [
        watchTurns(createScriptBrain({ clock }), async () => {
          most = Math.max(most, ++running);
          await new Promise<void>((resolve) => clock.after(100, resolve));
          running--;
        }),
      ],
    });
    const sessions = Array.from({ length: 9 }, (_, i) => `${ROOM}:t${i}`);

    for (const session of sessions) await rooms.say("@alpha go", { session });
    await rooms.clock.advance(1_000);

    expect(most).toBe(3);
    for (const session of sessions) expect(await rooms.lines(session)).toEqual(["Ann: @alpha go", "Alpha: done"]);
  });

  it("case 41: the app's mention with a name wakes exactly that persona", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", "alpha here"), scripted("beta", "beta here")],
      fanout: 2,
    });
    await rooms.command("agent host alpha");

    await rooms.say("@Troupe beta what do you and @alpha think?");

    expect((await rooms.lines()).slice(1)).toEqual(["Beta: beta here"]);
  });

  it("case 41: the app's mention is no way around the roster: a persona that is not in the room is told of, not woken", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", "alpha here"), scripted("beta", "beta here")],
      room: { personas: ["alpha"] },
    });

    await rooms.say("@Troupe beta hello");

    expect(await rooms.lines()).toEqual(["Ann: @Troupe beta hello"]);
    expect(rooms.chat.whispers.map(({ view }) => view.text)).toEqual([
      "Beta is not in this room. An admin can add it: /agent add beta",
    ]);
  });
});
