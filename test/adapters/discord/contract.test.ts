import { createDiscordAdapter } from "../../../adapters/discord/index.js";
import { systemClock } from "../../../src/clock.js";
import { FAMILIES } from "../../../src/engine/commands/table.js";
import { createLogger } from "../../../src/log.js";
import { postPlatformContract } from "../../contract/platform.js";
import { startFakeDiscord } from "../../fakes/discord/server.js";
import { createFakeRooms } from "../../support/fake-rooms.js";

postPlatformContract("Discord", async () => {
  const discord = await startFakeDiscord();
  const { workspace, faults } = discord;
  const people = [workspace.addUser({ name: "ann" }).id, workspace.addUser({ name: "bob" }).id] as const;
  const guild = workspace.addGuild({ name: "home", owner: "ann", members: ["bob", "troupe"] });
  const channel = workspace.addChannel({ name: "general" });
  const room = (id: string) => `discord:${guild.id}:${id}`;
  const rooms = createFakeRooms();
  const platform = createDiscordAdapter({
    token: discord.token,
    apiUrl: discord.apiUrl,
    pace: false,
    catchUpMs: 0,
    landingMs: 0,
    families: FAMILIES,
    personas: () => [{ name: "alpha", displayName: "Alpha", role: false }],
    reader: rooms.reader,
    clock: systemClock,
    logger: createLogger({ level: "silent", secrets: [], output: { write() {} } }),
  });
  return {
    platform,
    inbox: rooms.inbox,
    session: room(channel.id),
    nowhere: room("100000000000000000"),
    people,
    seen: async (person) => discord.seen("general", person),
    refuseStart: () =>
      void faults.add({ method: "get_my_application", fault: { kind: "error", code: 0, status: 401 } }),
    loseAnswer() {
      faults.add({ method: "execute_webhook", fault: { kind: "accept-then-drop" } });
      // The gateway would say that it stands.
      discord.gateway.fail("lose", "MESSAGE_CREATE");
    },
    refusePost: () => void faults.add({ method: "execute_webhook", fault: { kind: "error", code: 50_083 } }),
    close: () => discord.close(),
  };
});
