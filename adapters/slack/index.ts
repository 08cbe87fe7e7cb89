import type { Capabilities, Platform } from "../../src/index.js";
import { createRuns } from "../shared/platform-runs.js";
import { createLink, type Link, type SlackAdapterOptions } from "./link.js";
import { splitBody } from "./outbound/blocks.js";
import { EVENTS_PATH } from "./setup/manifest.js";

export type { SlackAdapterOptions, Transport } from "./link.js";

const CAPABILITIES: Capabilities = {
  delivery: "post",
  threads: true,
  edit: true,
  ephemeral: true,
  buttons: true,
  typing: true,
  identity: true,
};

/**
 * Slack. One workspace, over Socket Mode or signed requests. Whatever it acknowledges is kept; what it posts before it is
 * connected waits. In HTTP mode it mounts its path at once and answers 503 there until it is started, so that Slack sends again.
 */
export function createSlackAdapter(options: SlackAdapterOptions): Platform {
  const told = new Set<string>();
  const { platform, open } = createRuns<Link>({
    connect: (inbox, signal) => createLink({ ...options, told }, inbox, signal),
    notYet: "Slack is not connected yet.",
  });

  if (options.transport.mode === "http") {
    options.transport.mount.mount(
      EVENTS_PATH,
      async (request) => open()?.request(request) ?? new Response("", { status: 503 }),
      { open: true },
    );
  }

  return { name: "slack", capabilities: CAPABILITIES, split: splitBody, ...platform };
}
