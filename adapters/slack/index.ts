import type { Capabilities, Inbox, Platform, PostResult } from "../../src/index.js";
import { splitBody } from "./blocks.js";
import { createLink, type Link, type SlackAdapterOptions } from "./link.js";
import { EVENTS_PATH } from "./manifest.js";
import type { Outbound } from "./outbound.js";

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

/** What cannot be posted because Slack was not reached yet is tried again after this time. */
const CONNECT_PAUSE_MS = 60_000;

/**
 * Slack. One workspace, over Socket Mode or signed requests. Whatever it acknowledges is kept; what it posts before it is
 * connected waits. In HTTP mode it mounts its path at once and answers 503 there until it is started, so that Slack sends again.
 */
export function createSlackAdapter(options: SlackAdapterOptions): Platform {
  let link: Link | undefined;
  let speaking: Outbound | undefined;
  let isOpen = false;
  let starts = 0;
  const waiting = new Set<(outbound: Outbound) => void>();

  if (options.transport.mode === "http") {
    options.transport.mount.mount(
      EVENTS_PATH,
      async (request) => (isOpen && link ? link.request(request) : new Response("", { status: 503 })),
      { open: true },
    );
  }

  /** What speaks for us, once the tokens have been checked. Rejects with the signal's reason when it aborts first. */
  async function outbound(signal: AbortSignal): Promise<Outbound> {
    if (speaking) return speaking;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      waiting.add(resolve);
      signal.addEventListener(
        "abort",
        () => {
          waiting.delete(resolve);
          reject(signal.reason);
        },
        { once: true },
      );
    });
  }

  /** A post that waits for the first connection is not lost, and counts as not posted. */
  async function say(signal: AbortSignal, call: (outbound: Outbound) => Promise<PostResult>): Promise<PostResult> {
    let ready: Outbound;
    try {
      ready = await outbound(signal);
    } catch {
      return { status: "rate-limited", retryAfterMs: CONNECT_PAUSE_MS };
    }
    return call(ready);
  }

  async function start(inbox: Inbox, signal: AbortSignal): Promise<void> {
    const mine = ++starts;
    await hangUp(0);
    const next = await createLink(options, inbox, signal);
    // Whoever started us may have given up meanwhile, and started us anew.
    if (mine !== starts) return next.close(0);
    link = next;
    speaking?.stop();
    speaking = next.outbound;
    for (const resolve of waiting) resolve(speaking);
    waiting.clear();
    await next.open();
    isOpen = mine === starts;
  }

  /** Ends the way in. */
  async function hangUp(deadlineMs: number): Promise<void> {
    isOpen = false;
    const last = link;
    link = undefined;
    await last?.close(deadlineMs);
  }

  return {
    name: "slack",
    capabilities: CAPABILITIES,
    start,
    status: () => (isOpen && link ? link.status() : { ready: false, problem: "Slack is not connected yet." }),
    split: splitBody,
    post: (post, signal) => say(signal, (ready) => ready.post(post, signal)),
    edit: (post, ids, signal) => say(signal, (ready) => ready.edit(post, ids, signal)),
    find: async (post, signal) => (await outbound(signal)).find(post, signal),
    async download(file, maxBytes, signal) {
      return (await outbound(signal)).download(file, maxBytes, signal);
    },
    async typing(session, identity, on) {
      await speaking?.typing(session, identity, on);
    },
    async ephemeral(session, to, view) {
      await speaking?.ephemeral(session, to, view);
    },
    // Turns that end now still have something to say: what speaks goes on until nobody asks it any more.
    async stop(deadlineMs) {
      starts++;
      await hangUp(deadlineMs);
    },
  };
}
