import type { Capabilities, Platform } from "../../src/index.js";
import { createRuns } from "../shared/platform-runs.js";
import { createLink, type DiscordAdapterOptions } from "./link.js";
import { splitBody } from "./outbound/showing.js";

export type { DiscordAdapterOptions } from "./link.js";

const CAPABILITIES: Capabilities = {
  delivery: "post",
  threads: true,
  edit: true,
  // Only answers to commands and clicks can be seen by one person alone.
  ephemeral: false,
  buttons: true,
  typing: true,
  identity: true,
};

/**
 * Discord, in every server that the bot is in. It hears through the gateway and speaks through the REST API; what it was not told
 * while it was away it reads there. What it posts before the token has been checked waits.
 */
export function createDiscordAdapter(options: DiscordAdapterOptions): Platform {
  const told = new Set<string>();
  const { platform } = createRuns({
    connect: (inbox, signal) => createLink({ ...options, told }, inbox, signal),
    notYet: "Discord is not connected yet.",
  });
  return { name: "discord", capabilities: CAPABILITIES, split: splitBody, ...platform };
}
