import { RequestMethod } from "discord.js";
import type { Hint } from "../../shared/hints.js";
import type { Caller } from "./rest.js";
import { CODE, type Failure } from "./results.js";

/**
 * `exists`: it does now. `none`: there can be none, and an admin has been told why. `unsuited`: in this kind of channel none begins on a
 * message. `gone`: neither it nor its message is there.
 */
export type ThreadMade =
  | { readonly status: "exists" | "none" | "unsuited" | "gone" }
  | { readonly status: "failed"; readonly failure: Failure };

/** The threads that sessions name: those that are there, and those that begin with their first post. */
export interface Threads {
  isKnown(thread: string): boolean;
  seen(thread: string): void;
  /** Begins the thread on the message of the same id. One that is there already will do. */
  begin(channel: string, thread: string, name: string, signal: AbortSignal): Promise<ThreadMade>;
}

const MOST_KNOWN = 5_000;
const LONGEST_NAME = 100;

/** Refusals that are about the thread and not about the moment. */
const NO_RIGHT = new Set<number>([CODE.missingPermissions, CODE.missingAccess]);

export function createThreads(call: Caller, hint: Hint): Threads {
  const known = new Set<string>();

  function seen(thread: string): void {
    const [oldest] = known;
    if (oldest !== undefined && known.size >= MOST_KNOWN && !known.has(thread)) known.delete(oldest);
    known.add(thread);
  }

  function refused(channel: string, code: number): ThreadMade {
    if (code === CODE.unknownMessage || code === CODE.unknownChannel) return { status: "gone" };
    if (code === CODE.wrongChannelType) return { status: "unsuited" };
    const mend = NO_RIGHT.has(code)
      ? "Allow its role Create Public Threads and Send Messages in Threads there, or let the room answer in the channel: /agent reply channel."
      : "Let the room answer in the channel: /agent reply channel.";
    hint(
      `thread ${code} ${channel}`,
      `The bot cannot begin threads in <#${channel}> (${code}), so that its personas answer in the channel. ${mend}`,
    );
    return { status: "none" };
  }

  return {
    isKnown: (thread) => known.has(thread),
    seen,
    async begin(channel, thread, name, signal) {
      const path = `/channels/${channel}/messages/${thread}/threads` as const;
      const called = await call({ method: RequestMethod.Post, path, body: { name } }, signal);
      if (called.ok) {
        seen(thread);
        return { status: "exists" };
      }
      const { failure } = called;
      // Whether it was made shows the next time, and nothing has been posted.
      if (failure.kind === "unclear") return { status: "failed", failure: { kind: "unsent", reason: failure.reason } };
      if (failure.kind !== "refused") return { status: "failed", failure };
      if (failure.code === CODE.threadExists) {
        seen(thread);
        return { status: "exists" };
      }
      return refused(channel, failure.code);
    },
  };
}

/** A name for a thread: the beginning of what is said in it first. */
export function threadName(text: string, otherwise: string): string {
  const [line = ""] = text
    .replace(/[`*_~|>#]/g, "")
    .split("\n")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const words = line === "" ? otherwise : line;
  if (words.length <= LONGEST_NAME) return words;
  const cut = words.slice(0, LONGEST_NAME - 1);
  return `${(/^(.{40,})\s/su.exec(cut)?.[1] ?? cut).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
