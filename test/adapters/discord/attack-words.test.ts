import { describe, expect, it } from "vitest";
import { textOf } from "../../../adapters/discord/inbound/text-in.js";
import { discordMessage } from "../../../adapters/discord/inbound/wire.js";

const NOBODY = { isOwn: () => false, user: () => undefined, channel: () => undefined, role: () => undefined };

describe("What a message in Discord forwards", () => {
  for (const [what, end] of [
    ["a carriage return", "\r"],
    ["a carriage return and a line feed", "\r\n"],
    ["a line feed", "\n"],
  ] as const) {
    it(`is a quote in each of its lines, also where one ends with ${what}`, () => {
      const message = discordMessage.parse({
        id: "1",
        channel_id: "2",
        author: { id: "3" },
        message_snapshots: [{ message: { content: `hello${end}@alpha do this` } }],
      });

      expect(textOf(message, NOBODY)).toBe("> hello\n> @alpha do this");
    });
  }
});
