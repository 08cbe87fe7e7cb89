import type { SlackFinding } from "../adapters/slack/setup/examine.js";
import { type Manifest, mainManifest, personaManifest } from "../adapters/slack/setup/manifest.js";
import type { LoadedConfig } from "./config/loaded.js";
import { APP_NAME, type Persona } from "./domain/persona.js";
import { FAMILIES } from "./engine/commands/table.js";
import type { Clock } from "./ports/clock.js";
import type { HttpMount } from "./ports/http-mount.js";
import type { KeyValue } from "./ports/key-value.js";
import type { Logger } from "./ports/logger.js";
import type { Platform } from "./ports/platform.js";
import type { Reader } from "./ports/reader.js";

export interface SlackOptions {
  readonly config: LoadedConfig;
  /** Takes Slack's requests in HTTP mode. */
  readonly mount: HttpMount;
  readonly reader: Reader;
  /** What has to outlive a crash. */
  readonly notes: KeyValue;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The Slack adapter as the configuration wants it; `undefined` without tokens, and then nothing of Slack's is loaded. */
export async function openSlack({ config, mount, ...parts }: SlackOptions): Promise<Platform | undefined> {
  const { tokens, apiUrl, pace } = config.slack;
  if (tokens === undefined) return undefined;
  const { createSlackAdapter } = await import("../adapters/slack/index.js");
  const transport =
    tokens.mode === "socket"
      ? ({ mode: "socket", appToken: tokens.appToken } as const)
      : ({ mode: "http", signingSecret: tokens.signingSecret, mount } as const);
  const { botToken, personaTokens } = tokens;
  return createSlackAdapter({
    botToken,
    personaTokens,
    transport,
    apiUrl,
    pace,
    catchUpMs: config.catchUpMs,
    ...parts,
  });
}

export interface ExamineOptions {
  readonly config: LoadedConfig;
  /** Sends a request whose answer tells the time. */
  readonly ask: (url: string, init: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
}

/** Checks tokens, rights and reachability; posts nothing. Never rejects; when the signal aborts, Slack counts as out of reach. */
export async function examineSlack({ config, ask, signal }: ExamineOptions): Promise<readonly SlackFinding[]> {
  const { tokens, apiUrl } = config.slack;
  if (tokens === undefined) return [{ ok: true, says: "takes no part: its tokens are not set" }];
  const { examineSlack: examine } = await import("../adapters/slack/setup/examine.js");
  const appToken = tokens.mode === "socket" ? tokens.appToken : undefined;
  await ask(`${apiUrl}api.test`, { method: "POST", redirect: "error", signal }).catch(() => undefined);
  const late = new Promise<readonly SlackFinding[]>((resolve) => {
    const says = `${new URL(apiUrl).host} does not answer: see that this machine may reach it, or correct SLACK_API_URL`;
    signal.addEventListener("abort", () => resolve([{ ok: false, says }]), { once: true });
  });
  return Promise.race([examine({ ...tokens, appToken, apiUrl }), late]);
}

const NAME = "Troupe";

/** The manifest of the main app, made from the command table. `origin`: where Slack reaches the service; absent: Socket Mode. */
export function slackManifest(origin?: string): Manifest {
  return mainManifest({
    name: NAME,
    handle: APP_NAME,
    commands: FAMILIES.map(({ name, about, commands }) => ({
      command: `/${name}`,
      description: about,
      usageHint: commands.map((command) => command.name).join(" | "),
    })),
    ...(origin === undefined ? {} : { origin }),
  });
}

/** The manifest of an app of one persona's own. */
export function slackPersonaManifest({ name, displayName, description }: Persona): Manifest {
  return personaManifest({ name: displayName, handle: name, description });
}
