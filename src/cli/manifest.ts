import { loadConfig } from "../config/load.js";
import type { LoadedConfig } from "../config/loaded.js";
import { ConfigError } from "../domain/errors.js";
import { nearestName } from "../domain/names.js";
import type { Persona } from "../domain/persona.js";
import { slackManifest, slackPersonaManifest } from "../slack.js";
import { EXIT } from "./failure.js";
import { configSources, type PlaceFlags } from "./places.js";
import type { Io } from "./terminal.js";

export interface ManifestFlags extends PlaceFlags {
  /** Where Slack reaches the service, without a path. */
  readonly http?: string;
  readonly persona?: string;
}

/** `troupe manifest slack`: prints the app manifest that Slack imports, as JSON. Returns the exit code. */
export async function manifest(flags: ManifestFlags, io: Io): Promise<number> {
  io.stdout.write(`${JSON.stringify(await manifestFor(flags, io), undefined, 2)}\n`);
  return EXIT.ok;
}

async function manifestFor(flags: ManifestFlags, io: Io) {
  // The address is all that the manifest takes from the configuration, which may not be complete yet.
  if (flags.http !== undefined && flags.persona === undefined) return slackManifest(flags.http);
  const config = await loadConfig(configSources(flags, io));
  return flags.persona === undefined
    ? slackManifest(originOf(config))
    : slackPersonaManifest(personaOf(config, flags.persona));
}

function originOf({ slack, web }: LoadedConfig): string | undefined {
  if (slack.mode === "socket") return undefined;
  if (web.publicUrl?.startsWith("https:")) return web.publicUrl;
  throw new ConfigError(
    "config_invalid",
    "Slack is to reach the service over HTTP, and nothing says where: set web.public_url (TROUPE_PUBLIC_URL) to its https address, or give it with --http",
  );
}

function personaOf({ personas }: LoadedConfig, wanted: string): Persona {
  const persona = personas.find(({ name }) => name === wanted);
  if (persona !== undefined) return persona;
  const names = personas.map(({ name }) => name);
  const near = nearestName(wanted, names);
  const hint = near === undefined ? `there are ${names.join(", ")}` : `did you mean ${near}?`;
  throw new ConfigError("config_invalid", `there is no persona ${wanted}: ${hint}`);
}
