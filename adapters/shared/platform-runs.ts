import type { Inbox, MessagePlace, Platform, PlatformStatus, PostResult, SessionId, View } from "../../src/index.js";

/** The way out of an adapter: everything that shows something on its platform, or fetches it from there. */
export interface WayOut {
  post: Platform["post"];
  find: Platform["find"];
  edit: Platform["edit"];
  typing: Platform["typing"];
  ephemeral(session: SessionId, to: string, view: View, about?: string): Promise<void>;
  download: NonNullable<Platform["download"]>;
  /** Waits end, and nothing is begun any more. */
  stop(): void;
}

/** One run of an adapter, from its start to its stop. */
export interface Run {
  /** Speaks for us, from before the way in is open until after it is closed. */
  readonly outbound: WayOut;
  /** The message that an address of the platform names. */
  locate(link: string): MessagePlace | undefined;
  /** Opens the way in. Resolves when the platform can reach us; what was said meanwhile is read from then on. */
  open(): Promise<void>;
  status(): PlatformStatus;
  /** Takes nothing more, lets what was taken be kept, then hangs up. Within the deadline; never rejects. */
  close(deadlineMs: number): Promise<void>;
}

interface RunsOptions<R extends Run> {
  /** Checks what is needed and puts a run together. */
  readonly connect: (inbox: Inbox, signal: AbortSignal) => Promise<R>;
  /** What the status says as long as there is no run. */
  readonly notYet: string;
}

/** The part of a platform that is the same wherever a connection may be opened and closed often. */
export interface Runs<R extends Run> {
  readonly platform: Required<Omit<Platform, "name" | "capabilities" | "split">>;
  /** The run whose way in is open. */
  open(): R | undefined;
}

/** What cannot be posted because the platform was not reached yet is tried again after this time. */
const CONNECT_PAUSE_MS = 60_000;

/**
 * One run after the other. What is posted before the first is connected waits; and turns that end after a stop still have something
 * to say: what speaks goes on until the next run takes over.
 */
export function createRuns<R extends Run>({ connect, notYet }: RunsOptions<R>): Runs<R> {
  let run: R | undefined;
  let speaking: WayOut | undefined;
  let isOpen = false;
  let starts = 0;
  const waiting = new Set<(outbound: WayOut) => void>();

  /** What speaks for us, once it is known as whom. Rejects with the signal's reason when it aborts first. */
  async function outbound(signal: AbortSignal): Promise<WayOut> {
    if (speaking) return speaking;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiting.delete(onReady);
        reject(signal.reason);
      };
      const onReady = (ready: WayOut) => {
        signal.removeEventListener("abort", onAbort);
        resolve(ready);
      };
      waiting.add(onReady);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** A post that waits for the first connection is not lost, and counts as not posted. */
  async function say(signal: AbortSignal, call: (ready: WayOut) => Promise<PostResult>): Promise<PostResult> {
    let ready: WayOut;
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
    const next = await connect(inbox, signal);
    // Whoever started us may have given up meanwhile, and started us anew.
    if (mine !== starts) return next.close(0);
    run = next;
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
    const last = run;
    run = undefined;
    await last?.close(deadlineMs);
  }

  return {
    open: () => (isOpen ? run : undefined),
    platform: {
      start,
      status: () => (isOpen && run ? run.status() : { ready: false, problem: notYet }),
      post: (post, signal) => say(signal, (ready) => ready.post(post, signal)),
      edit: (post, ids, signal) => say(signal, (ready) => ready.edit(post, ids, signal)),
      find: async (post, signal) => (await outbound(signal)).find(post, signal),
      async download(file, maxBytes, signal) {
        return (await outbound(signal)).download(file, maxBytes, signal);
      },
      locate: (link) => run?.locate(link),
      async typing(session, identity, on) {
        await speaking?.typing(session, identity, on);
      },
      async ephemeral(session, to, view, about) {
        await speaking?.ephemeral(session, to, view, about);
      },
      async stop(deadlineMs) {
        starts++;
        await hangUp(deadlineMs);
      },
    },
  };
}
