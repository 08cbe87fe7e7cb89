import { describe, expect, it } from "vitest";
import { createScriptBrain } from "../../src/brain/script/script-brain.js";
import { scripted, startRooms } from "../support/rooms.js";
import { watchTurns } from "./support.js";

describe("context", () => {
  it("case 32: threads with equal ids in two channels share no text", async () => {
    const seen = new Map<string, string[]>();
    const rooms = await startRooms({
      personas: [scripted("alpha", "alpha on {{text}}")],
      brains: (clock) => [
        watchTurns(createScriptBrain({ clock }), async (turn) => {
          const view = await turn.view(1_000_000);
          const texts = seen.get(turn.room) ?? [];
          seen.set(turn.room, [...texts, ...view.map(({ entry }) => entry.text)]);
        }),
      ],
    });

    for (const topic of ["one", "two"]) {
      const session = `fake:T:${topic}:1700.55`;
      await rooms.say(`the word is ${topic}`, { session, id: "1700.55" });
      await rooms.say(`@alpha about ${topic}`, { session, id: "1700.56" });
      await rooms.say(`@alpha more about ${topic}`, { session, id: "1700.57" });
    }

    expect(seen.get("fake:T:one")).toEqual([
      "the word is one",
      "@alpha about one",
      "the word is one",
      "@alpha about one",
      "alpha on @alpha about one",
      "@alpha more about one",
    ]);
    expect(seen.get("fake:T:two")?.some((text) => text.includes("one"))).toBe(false);
  });
});
