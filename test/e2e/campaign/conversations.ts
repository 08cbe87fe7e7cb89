import type { Posted } from "./chat.js";
import { BUDGET } from "./personas.js";

/** A conversation that a person begins. */
export interface Conversation {
  readonly session: string;
  /** Said one after the other, without waiting for answers. */
  readonly messages: readonly { readonly id: string; readonly text: string }[];
  /** The first lines of the agents' messages that it leads to, of each `from` as often as it occurs. */
  readonly replies: readonly string[];
  /** How often a person presses Continue in its session, at most. */
  readonly continues: number;
  /** Whether an agent's message or a person's belongs to this conversation. */
  has(text: string): boolean;
}

type Kind = "tell" | "both" | "handoff" | "send" | "fail" | "argue" | "queue";
const KINDS: readonly Kind[] = [
  "tell",
  "handoff",
  "queue",
  "both",
  "send",
  "argue",
  "tell",
  "fail",
  "handoff",
  "queue",
];
const ROOMS = 5;
const QUEUED = 4;

/** The n-th of a campaign's conversations. Those that depend on what was said before have a thread of their own. */
export function conversation(n: number): Conversation {
  const kind = KINDS[n % KINDS.length] ?? "tell";
  const key = `c${String(n).padStart(3, "0")}`;
  const room = `fake:T:room${n % ROOMS}`;
  const isAlone = kind === "fail" || kind === "argue";
  const shared = n % 3 === 0 ? `${room}:t${n % 2}` : room;
  return {
    session: isAlone ? `${room}:${key}` : shared,
    messages: messagesOf(kind, key),
    replies: repliesTo(kind),
    continues: kind === "argue" ? 1 : Number.POSITIVE_INFINITY,
    has: (text) => text.includes(key),
  };
}

function messagesOf(kind: Kind, key: string): Conversation["messages"] {
  if (kind === "queue")
    return Array.from({ length: QUEUED }, (_, i) => ({ id: `${key}-${i}`, text: `@alpha tell ${key}-${i}` }));
  const to = kind === "both" ? "@alpha @beta" : "@alpha";
  return [{ id: key, text: `${to} ${kind} ${key}` }];
}

function repliesTo(kind: Kind): readonly string[] {
  switch (kind) {
    case "tell":
    case "fail":
      return ["alpha answers"];
    case "both":
      return ["alpha answers", "beta answers"];
    case "handoff":
      return ["@beta take over", "beta answers"];
    case "send":
      return ["@beta a note", "sent", "beta answers"];
    case "queue":
      return Array.from({ length: QUEUED }, () => "alpha answers");
    case "argue":
      // To the budget, and once more after Continue.
      return Array.from({ length: 2 * BUDGET }, (_, i) => (i % 2 === 0 ? "@beta no" : "@alpha no"));
  }
}

/** The texts of the conversation's agent messages, as posted. */
export function postedReplies({ session, has }: Conversation, posted: readonly Posted[]): readonly string[] {
  return posted.flatMap(({ post }) => {
    const { body, identity } = post;
    return post.session === session && identity !== undefined && body.kind === "text" && has(body.text)
      ? [body.text]
      : [];
  });
}

/** Which of the expected replies are missing, and which are too many. */
export function differences({ replies, messages }: Conversation, texts: readonly string[]): readonly string[] {
  const name = messages[0]?.id ?? "";
  const left = [...texts];
  const missing = replies.filter((start) => {
    const at = left.findIndex((text) => text.startsWith(start));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [
    ...missing.map((start) => `${name}: no "${start}"`),
    ...left.map((text) => `${name}: one too many, "${text}"`),
  ];
}
