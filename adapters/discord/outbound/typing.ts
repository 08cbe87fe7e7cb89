import { RequestMethod } from "discord.js";
import type { Clock, Identity, SessionId } from "../../../src/index.js";
import { placeOf, standsIn } from "../place.js";
import type { Caller } from "./rest.js";
import { CODE } from "./results.js";

export interface TypingDeps {
  readonly call: Caller;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A quick answer needs no announcement. */
const SHOW_AFTER_MS = 700;
/** Discord takes it away after ten seconds. */
const REPEAT_MS = 8_000;
/** Who takes longer is not announced any more. */
const LONGEST_MS = 2 * 60_000;

/** Shows that the bot types while any persona works in a channel or thread. Best effort: nothing waits for it. */
export interface Typing {
  set(session: SessionId, identity: Identity, on: boolean): void;
  stop(): void;
}

/** One for each channel or thread. */
interface Loop {
  /** Who works there, and until when that is announced. */
  readonly working: Map<string, number>;
  cancel: () => void;
  /** Where it is shown: a thread that begins with the first answer has only its channel yet. */
  shownIn: string;
  /** The thread's channel. */
  readonly channel: string;
}

/** Only the bot can type, under its own name: webhooks cannot. */
export function createTyping({ call, clock, signal }: TypingDeps): Typing {
  const loops = new Map<string, Loop>();

  function end(key: string, loop: Loop): void {
    loop.cancel();
    if (loops.get(key) === loop) loops.delete(key);
  }

  function show(key: string, loop: Loop): void {
    const now = clock.monotonic();
    for (const [persona, until] of loop.working) if (until <= now) loop.working.delete(persona);
    if (loop.working.size === 0 || signal.aborted) {
      end(key, loop);
      return;
    }
    loop.cancel = clock.after(REPEAT_MS, () => show(key, loop));
    void announce(key, loop);
  }

  /** Where it may not, it does not try again for this turn. */
  async function announce(key: string, loop: Loop): Promise<void> {
    const { shownIn } = loop;
    const called = await call({ method: RequestMethod.Post, path: `/channels/${shownIn}/typing` }, signal);
    if (called.ok || called.failure.kind !== "refused" || loops.get(key) !== loop) return;
    if (called.failure.code !== CODE.unknownChannel || shownIn === loop.channel) {
      end(key, loop);
      return;
    }
    loop.shownIn = loop.channel;
    await announce(key, loop);
  }

  return {
    set(session, { name }, on) {
      const place = placeOf(session);
      const key = standsIn(place);
      const loop = loops.get(key);
      if (!on) {
        loop?.working.delete(name);
        if (loop?.working.size === 0) end(key, loop);
        return;
      }
      if (signal.aborted) return;
      const until = clock.monotonic() + LONGEST_MS;
      if (loop) {
        loop.working.set(name, until);
        return;
      }
      const begun: Loop = {
        working: new Map([[name, until]]),
        cancel: clock.after(SHOW_AFTER_MS, () => show(key, begun)),
        shownIn: key,
        channel: place.channel,
      };
      loops.set(key, begun);
    },
    stop() {
      for (const [key, loop] of loops) end(key, loop);
    },
  };
}
