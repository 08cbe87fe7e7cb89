import { describe, expect, it } from "vitest";
import { quarrelsome } from "../support/quarrel.js";
import { BOB, ROOM, scripted, startRooms } from "../support/rooms.js";

describe("a conversation", () => {
  it("wakes the mentioned persona, which wakes another, until one says nothing more", async () => {
    const rooms = await startRooms({
      personas: [
        scripted("alpha", ["done", "Thanks, that settles it."], "Let me ask. @beta what do you think?"),
        scripted("beta", "I think we are done, @alpha."),
      ],
    });

    await rooms.say("@alpha can we ship?");
    await rooms.quiet();

    expect(await rooms.lines()).toEqual([
      "Ann: @alpha can we ship?",
      "Alpha: Let me ask. @beta what do you think?",
      "Beta: I think we are done, @alpha.",
      "Alpha: Thanks, that settles it.",
    ]);
    expect(rooms.chat.messages.map((m) => [m.post.identity?.displayName, m.post.body])).toEqual([
      ["Alpha", { kind: "text", text: "Let me ask. @beta what do you think?" }],
      ["Beta", { kind: "text", text: "I think we are done, @alpha." }],
      ["Alpha", { kind: "text", text: "Thanks, that settles it." }],
    ]);
  });

  it("ends at the budget, says who was waiting, and goes on once when a person continues", async () => {
    const rooms = await startRooms({
      personas: [quarrelsome("alpha", "beta"), quarrelsome("beta", "alpha", 12)],
      guard: { enabled: false },
    });

    await rooms.say("@alpha argue");
    await rooms.quiet();
    expect((await rooms.lines()).length).toBe(7);
    const state = await rooms.troupe.reader.room(ROOM);
    expect(state?.notices).toHaveLength(1);
    const [notice] = state?.notices ?? [];
    expect(notice?.view.text).toContain("Alpha was not woken");

    const button = notice?.view.buttons?.[0];
    const first = await rooms.press(button?.action ?? "", button?.value ?? "", BOB);
    await rooms.quiet();
    expect(first.ok).toBe(true);
    expect((await rooms.lines()).length).toBe(13);
    const second = await rooms.press(button?.action ?? "", button?.value ?? "", BOB);
    await rooms.quiet();
    expect(second.view.text).toBe("Already continued by Bob.");
    expect((await rooms.lines()).length).toBe(13);
    expect((await rooms.troupe.reader.room(ROOM))?.notices).toHaveLength(2);
    expect(rooms.chat.messages.filter((m) => m.post.body.kind === "view").map((m) => m.edits)).toEqual([1, 0]);
  });
});
