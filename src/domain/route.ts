import type { MessageEntry } from "./entry.js";
import type { Mention, MentionParser } from "./mention.js";
import type { IgnoreReason } from "./outcome.js";
import type { RoomSettings } from "./settings.js";

/** What routing knows of the room in which a message was said. */
export interface RouteContext {
  /** Attached, existing personas in attachment order. */
  readonly members: readonly string[];
  readonly host?: string;
  /** Serves where nobody is attached. */
  readonly defaultPersona?: string;
  readonly settings: Pick<RoomSettings, "wake" | "fanout">;
  readonly parse: MentionParser;
  /** The persona whose Message came last before this one, when the session is a thread. */
  readonly previousSpeaker?: string;
}

/** Whom a message is for. `beyond`: named, but more than `fanout`. `unknown`: names nobody here answers to. */
export interface Route {
  readonly personas: readonly string[];
  readonly beyond: readonly string[];
  readonly unknown: readonly string[];
  /** Why `personas` is empty. */
  readonly reason?: IgnoreReason;
}

/** What a person's first mention of the app says: a persona to answer, or words that may be a command. */
export interface Addressed {
  readonly persona?: string;
  readonly words: string;
}

/**
 * Reads `@Troupe alpha …` and `@Troupe room`: the app's mention opens the message. `undefined` when it does not.
 * `team` are handles; a display name after the app's mention is found through its own mention instead.
 */
export function addressed(text: string, parse: MentionParser, team: readonly string[]): Addressed | undefined {
  const [first] = parse(text);
  if (first?.kind !== "app" || text.slice(0, first.start).trim() !== "") return undefined;
  const words = text.slice(first.end).replace(/^[\s,:]+/, "");
  const name = /^[\p{L}\p{N}_-]+/u.exec(words)?.[0]?.toLowerCase();
  return name !== undefined && team.includes(name) ? { persona: name, words } : { words };
}

/**
 * A person's message resolves to an override → its first eligible mentions → the persona it answers → the host →
 * the first attached → the default persona (behaviour 0.3, 0.4). Without a mention the chain runs in `always` rooms,
 * and in `mention` rooms only when the message addresses the app or answers a persona's message.
 */
export function routePerson(message: Pick<MessageEntry, "text" | "to" | "answers">, context: RouteContext): Route {
  const mentions = context.parse(message.text);
  const named = namedIn(mentions, context.members);
  if (message.to !== undefined) return override(message.to, context.members, named.unknown);
  if (named.attached.length > 0) return limited(named.attached, context.settings.fanout, named.unknown);

  const mentioned = mentions.some((mention) => mention.kind !== "app");
  const answered = message.answers ?? (mentioned ? undefined : context.previousSpeaker);
  const toApp = mentions.some((mention) => mention.kind === "app");
  if (context.settings.wake === "mention" && !toApp && answered === undefined) {
    return none(mentioned ? "unknown_mention" : "no_mention", named.unknown);
  }
  const fallback = chain(answered, context);
  return fallback === undefined ? none("empty_room", named.unknown) : only(fallback, named.unknown);
}

/**
 * An agent's message wakes only mentioned, attached personas other than its sender: no fallback (behaviour 0.5).
 * A message with an addressee (`send_message`) wakes only that one; its other mentions are inert.
 */
export function routeAgent(message: Pick<MessageEntry, "text" | "to" | "sender">, context: RouteContext): Route {
  const others = context.members.filter((name) => message.sender.kind !== "agent" || name !== message.sender.id);
  if (message.to !== undefined) {
    return others.includes(message.to) ? only(message.to, []) : none("unknown_mention", []);
  }
  const mentions = context.parse(message.text);
  const named = namedIn(mentions, others);
  if (named.attached.length > 0) return limited(named.attached, context.settings.fanout, []);
  const self = mentions.some((mention) => mention.kind === "persona" && mention.name === message.sender.id);
  if (self) return none("self_mention", []);
  return none(named.unknown.length > 0 ? "unknown_mention" : "no_mention", []);
}

/** Choosing by name is no way around the roster: a persona that is not attached is told of, not woken. */
function override(name: string, members: readonly string[], unknown: readonly string[]): Route {
  if (members.includes(name)) return only(name, unknown);
  return none("unknown_mention", [name, ...unknown.filter((other) => other !== name)]);
}

function chain(answered: string | undefined, context: RouteContext): string | undefined {
  const { members, host, defaultPersona } = context;
  if (answered !== undefined && members.includes(answered)) return answered;
  if (host !== undefined && members.includes(host)) return host;
  return members[0] ?? defaultPersona;
}

function namedIn(mentions: readonly Mention[], members: readonly string[]) {
  const attached = new Set<string>();
  const unknown = new Set<string>();
  for (const mention of mentions) {
    if (mention.kind === "app") continue;
    if (mention.kind === "persona" && members.includes(mention.name)) attached.add(mention.name);
    else unknown.add(mention.name);
  }
  return { attached: [...attached], unknown: [...unknown] };
}

function limited(names: readonly string[], fanout: number, unknown: readonly string[]): Route {
  return { personas: names.slice(0, fanout), beyond: names.slice(fanout), unknown };
}

function only(name: string, unknown: readonly string[]): Route {
  return { personas: [name], beyond: [], unknown };
}

function none(reason: IgnoreReason, unknown: readonly string[]): Route {
  return { personas: [], beyond: [], unknown, reason };
}
