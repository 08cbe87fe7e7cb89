import { join } from "node:path";
import { type Access, type BotProcess, startScript, startTroupe } from "./systems.js";

export interface System {
  readonly name: string;
  start(access: Access): Promise<BotProcess>;
}

/** What is compared, ours first. Both answer in the channel. */
export const SYSTEMS: readonly System[] = [
  { name: "Troupe", start: (access) => startTroupe("rooms: { defaults: { reply: channel } }\n", access) },
  {
    name: "discord.js",
    start: (access) => startScript(join(import.meta.dirname, "discord-echo.mjs"), /ready/, access),
  },
];
