import { loadConfig } from "../config/load.js";
import { discordInvite } from "../discord.js";
import { EXIT } from "./failure.js";
import { configSources, type PlaceFlags } from "./places.js";
import type { Io } from "./terminal.js";

/** `troupe invite discord`: prints the link that brings the bot into a server. Returns the exit code. */
export async function invite(flags: PlaceFlags, io: Io): Promise<number> {
  io.stdout.write(`${await discordInvite(await loadConfig(configSources(flags, io)))}\n`);
  return EXIT.ok;
}
