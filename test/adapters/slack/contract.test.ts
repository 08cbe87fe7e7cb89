import { createSlackAdapter } from "../../../adapters/slack/index.js";
import { systemClock } from "../../../src/clock.js";
import { createLogger } from "../../../src/log.js";
import { postPlatformContract } from "../../contract/platform.js";
import { startFakeSlack } from "../../fakes/slack/server.js";
import { createFakeRooms } from "../../support/fake-rooms.js";

const MODES = ["socket", "http"] as const;

for (const mode of MODES) {
  postPlatformContract(`Slack over ${mode}`, async () => {
    const slack = await startFakeSlack();
    const { workspace, faults } = slack;
    const people = [workspace.addUser({ name: "ann" }).id, workspace.addUser({ name: "bob" }).id] as const;
    const { token, appToken, signingSecret } = workspace.addApp({ name: "troupe", displayName: "Troupe" });
    const channel = workspace.addChannel({ name: "general", members: ["ann", "bob", "troupe"] });
    const room = (id: string) => `slack:${workspace.team.id}:${id}`;
    const rooms = createFakeRooms();
    const platform = createSlackAdapter({
      botToken: token,
      transport: mode === "socket" ? { mode, appToken } : { mode, signingSecret, mount: { mount() {} } },
      apiUrl: slack.apiUrl,
      pace: 0,
      catchUpMs: 0,
      reader: rooms.reader,
      clock: systemClock,
      logger: createLogger({ level: "silent", secrets: [], output: { write() {} } }),
    });
    return {
      platform,
      inbox: rooms.inbox,
      session: room(channel.id),
      nowhere: room("C0NOWHERE"),
      people,
      seen: async (person) => slack.seen("general", person),
      refuseStart: () => void faults.add({ method: "auth.test", fault: { kind: "error", error: "invalid_auth" } }),
      loseAnswer: () => void faults.add({ method: "chat.postMessage", fault: { kind: "accept-then-drop" } }),
      refusePost: () => void faults.add({ method: "chat.postMessage", fault: { kind: "error", error: "is_archived" } }),
      close: () => slack.close(),
    };
  });
}
