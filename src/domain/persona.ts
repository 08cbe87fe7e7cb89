/**
 * A named bot identity of the team. What a brain needs beyond this is opaque to the domain and
 * travels in `brain`.
 */
export interface Persona {
  /** Handle: `[a-z][a-z0-9_-]{0,31}`, unique in the team. */
  readonly name: string;
  /** Shown, and mentionable too. Unique in the team, case-folded, also against handles. */
  readonly displayName: string;
  readonly description: string;
  /** Emoji code (`:compass:`) or https image URL. */
  readonly avatar?: string;
  readonly prompt: string;
  readonly brain: "llm" | "script";
  /** `provider:model`; required for `llm` once defaults are applied. */
  readonly model?: string;
  /** Names of the room tools this persona may use; `*` at the end matches the rest. Absent: all. */
  readonly tools?: readonly string[];
  readonly script?: readonly ScriptRule[];
}

/** One rule of a scripted persona (product section 5). The first that matches and is not used up runs. */
export interface ScriptRule {
  /** Regular expression source, case-insensitive, on the waking text; absent: always. */
  readonly when?: string;
  /** At most this many uses per session. */
  readonly times?: number;
  readonly steps: readonly ScriptStep[];
}

export type ScriptStep =
  | { readonly say: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly delayMs: number }
  | { readonly fail: string };

/** The identity under which a post appears. */
export interface Identity {
  readonly name: string;
  readonly displayName: string;
  readonly avatar?: string;
}

export function identityOf(persona: Persona): Identity {
  return {
    name: persona.name,
    displayName: persona.displayName,
    ...(persona.avatar === undefined ? {} : { avatar: persona.avatar }),
  };
}

/** Words of the command table (product section 6): reserved as persona names from the first version. */
export const COMMAND_WORDS = [
  "help",
  "why",
  "room",
  "list",
  "add",
  "remove",
  "host",
  "budget",
  "burst",
  "fanout",
  "wake",
  "reply",
  "guard",
  "spend",
  "resume",
  "pause",
  "stop",
  "worker",
  "usage",
  "forget",
  "task",
  "show",
  "cancel",
  "retry",
  "approve",
  "schedule",
  "once",
] as const;

/** Names no persona may take: group mentions, the app itself, the system's own words. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set<string>([
  "here",
  "channel",
  "everyone",
  "all",
  "agent",
  "system",
  "lead",
  "troupe",
  ...COMMAND_WORDS,
]);

/** The app's own mention: `@Troupe alpha …` addresses alpha, `@Troupe room` is a command. */
export const APP_NAME = "troupe";
