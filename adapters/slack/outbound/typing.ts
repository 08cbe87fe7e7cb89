import type { Clock, Identity, Logger, SessionId } from "../../../src/index.js";
import type { SlackClients } from "../clients.js";
import { placeOf } from "../place.js";
import type { Caller } from "./call.js";
import type { Identities, Look } from "./identity.js";

export interface TypingDeps {
  readonly call: Caller;
  readonly clients: SlackClients;
  readonly identities: Identities;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** A quick answer needs no announcement. */
const SHOW_AFTER_MS = 700;
/** Slack takes a status away after two minutes. */
const REPEAT_MS = 100_000;
const MOST_REPEATS = 30;

const METHOD = "assistant.threads.setStatus";

/** Shows "is thinking…" in threads, under the persona's name. Best effort: nothing waits for it, its errors are only logged. */
export interface Typing {
  set(session: SessionId, identity: Identity, on: boolean): void;
  stop(): void;
}

interface Shown {
  readonly cancel: () => void;
  readonly isShown: boolean;
}

/** Only threads have a status; in a channel or a direct message there is nothing to show. */
export function createTyping({ call, clients, identities, clock, logger, signal }: TypingDeps): Typing {
  const shown = new Map<string, Shown>();
  let isRefused = false;

  function show(session: SessionId, identity: Identity, repeats: number): void {
    void write(session, identity, "is thinking…");
    const again = () => (repeats < MOST_REPEATS ? show(session, identity, repeats + 1) : undefined);
    shown.set(keyOf(session, identity), { cancel: clock.after(REPEAT_MS, again), isShown: true });
  }

  async function write(session: SessionId, identity: Identity, status: string): Promise<void> {
    if (isRefused) return;
    const { channel, thread } = placeOf(session);
    const client = clients.posts(identity.name);
    const look: Look = client === clients.posts() ? identities.lookOf(identity) : {};
    const args = { channel_id: channel, thread_ts: thread, status, ...look };
    const called = await call({ client, method: METHOD, channel, args }, signal);
    if (called.ok) return;
    logger.debug({ session, failure: called.failure }, "could not show a status");
    // An app without this right is not asked again and again.
    if (called.failure.kind === "refused" && NEVER.has(called.failure.code)) isRefused = true;
  }

  return {
    set(session, identity, on) {
      if (placeOf(session).thread === undefined || signal.aborted) return;
      const key = keyOf(session, identity);
      const before = shown.get(key);
      before?.cancel();
      shown.delete(key);
      if (on) {
        const cancel = clock.after(SHOW_AFTER_MS, () => show(session, identity, 0));
        shown.set(key, { cancel, isShown: false });
      } else if (before?.isShown) void write(session, identity, "");
    },
    stop() {
      for (const { cancel } of shown.values()) cancel();
      shown.clear();
    },
  };
}

const NEVER = new Set(["missing_scope", "unknown_method", "method_deprecated", "not_allowed_token_type"]);

function keyOf(session: SessionId, { name }: Identity): string {
  return `${session} ${name}`;
}
