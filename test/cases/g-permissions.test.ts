import { describe, expect, it } from "vitest";
import { scripted, startRooms } from "../support/rooms.js";

describe("permissions", () => {
  it.each(["@everyone look", "@here", "@channel", "<!channel> look", "<!subteam^S1> look", "<@&1234> look", "@all"])(
    "case 34: an agent's words for everybody wake nobody and stay text: %s",
    async (text) => {
      const rooms = await startRooms({
        personas: [scripted("alpha", text), scripted("beta", "beta here")],
        room: { wake: "always" },
      });

      await rooms.say("@alpha go");
      await rooms.quiet();

      expect(await rooms.lines()).toEqual(["Ann: @alpha go", `Alpha: ${text}`]);
    },
  );
});
