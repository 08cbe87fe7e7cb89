import { logPlatformContract } from "../../contract/platform.js";
import { startWeb } from "../../support/web-harness.js";

logPlatformContract("The web room", async () => {
  const { adapter, rooms, main } = await startWeb({ start: false });
  return {
    platform: adapter,
    inbox: rooms.inbox,
    session: main,
    people: ["web:local:person", "web:local:nobody"],
    seen: async () => [],
    // The server is closed after the test by who started it.
    close: async () => {},
  };
});
