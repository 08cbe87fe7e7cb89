import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Access, type BotProcess, startScript, startTroupe } from "./systems.js";

const HERE = import.meta.dirname;
const PEERS = join(HERE, "peers");

/** A bot under measurement, in a process of its own. */
export interface RunningSystem extends BotProcess {
  /** Where it takes Slack's requests. */
  readonly requestUrl: string;
}

export interface System {
  readonly name: string;
  start(access: Access): Promise<RunningSystem>;
}

/** What is compared, ours first. Without the peers installed, only with Bolt. */
export function systems(): readonly System[] {
  const hasPeers = existsSync(join(PEERS, "node_modules/chat"));
  if (!hasPeers) console.error("peers not installed: npm ci --prefix bench/peers");
  return [
    { name: "Troupe", start: startAtNoPace },
    echo("Bolt", join(HERE, "bolt-echo.mjs")),
    ...(hasPeers ? [echo("Chat SDK", join(PEERS, "chat-echo.mjs"))] : []),
  ];
}

async function startAtNoPace(access: Access): Promise<RunningSystem> {
  const { url, ...bot } = await startTroupe("slack: { pace: 0 }\n", access);
  return { requestUrl: `${url}/slack/events`, ...bot };
}

function echo(name: string, script: string): System {
  return {
    name,
    async start(access) {
      const { said, ...bot } = await startScript(script, /http:\S+/, access);
      return { requestUrl: `${said}/slack/events`, ...bot };
    },
  };
}
