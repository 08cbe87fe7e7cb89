import type { GuardSettings } from "../domain/guard-settings.js";
import type { RoomId } from "../domain/ids.js";
import type { Persona } from "../domain/persona.js";
import type { ScheduleBounds } from "../domain/schedule.js";
import type { RoomSettings } from "../domain/settings.js";
import type { ModelAccess } from "./models.js";
import type { PersonaFolder, PersonaSet } from "./personas.js";
import type { ConfigProblem } from "./problem.js";

/** Levels of `TROUPE_LOG_LEVEL`, from the least to the most said. */
export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;

/** How much the service logs. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What a new room starts with, and how rooms behave, before any command. */
export interface RoomDefaults {
  readonly personas: "all" | readonly string[];
  /** Platform ids of other bots whose messages count like an agent's. */
  readonly bots: readonly string[];
  readonly wake: RoomSettings["wake"];
  readonly reply: RoomSettings["reply"];
}

/** What one room does differently; absent keys come from the defaults. */
export interface RoomOverride extends Partial<RoomDefaults> {
  readonly host?: string;
}

/** A program that the service runs. */
export interface Program {
  readonly program: string;
  readonly args: readonly string[];
  /** Where it runs, so that a relative path means the same wherever the service was started. */
  readonly cwd: string;
}

/** A token, and the variable that it came from, by which messages call it. */
export interface NamedToken {
  readonly tokenName: string;
  readonly token: string;
}

/** The secrets of Slack, in the form that the mode needs. None of them is ever shown. */
export type SlackTokens = {
  readonly botToken: string;
  /** Tokens of personas with an app of their own, by persona. As they were at the start. */
  readonly personaTokens: ReadonlyMap<string, NamedToken>;
} & (
  | { readonly mode: "socket"; readonly appToken: string }
  | { readonly mode: "http"; readonly signingSecret: string }
);

/** What the configuration says about Slack. */
export interface SlackConfig {
  readonly mode: "socket" | "http";
  /** Posts per second and channel; 0: only what the platform asks for. */
  readonly pace: number;
  /** Base of the Web API, with a slash at its end. */
  readonly apiUrl: string;
  /** Absent: Slack takes no part. */
  readonly tokens?: SlackTokens;
}

/** What the configuration says about Discord. */
export interface DiscordConfig {
  /** Base of the REST API, without a version and without a slash at its end. */
  readonly apiUrl: string;
  /** Absent: Discord takes no part. Secret: never shown. */
  readonly token?: string;
  /** Personas that get a role to be mentioned by, by handle. As they were at the start. */
  readonly roles: ReadonlySet<string>;
}

/** The configuration as the service uses it: every value resolved, in milliseconds and absolute paths. */
export interface LoadedConfig {
  /** The configuration file; absent when the built-in defaults serve. */
  readonly file?: string;
  readonly team: string;
  /** In name order; never empty. */
  readonly personas: readonly Persona[];
  /** Where the personas came from and as what, to follow changes. */
  readonly personaFolder: PersonaFolder;
  readonly personaSet: PersonaSet;
  /** Absent: the first in name order. Is one of `personas` at load; its file may go later. */
  readonly defaultPersona?: string;
  /** `provider:model` */
  readonly defaultModel?: string;
  readonly burstBudget: { readonly value: number; readonly source: "configuration" | "default" };
  readonly fanout: number;
  readonly pairGuard: {
    readonly settings: GuardSettings;
    /** Who may resume pairs. */
    readonly resume: "members" | "admins";
    /** Told of every pause that the guard makes. */
    readonly notify?: Program;
  };
  readonly limits: { readonly maxConcurrentTurns: number; readonly turnTimeoutMs: number; readonly maxSteps: number };
  readonly schedules: ScheduleBounds;
  readonly rooms: { readonly defaults: RoomDefaults; readonly overrides: ReadonlyMap<RoomId, RoomOverride> };
  /** Admins' user ids by platform. A platform that is absent or empty uses its own notion of an admin. */
  readonly admins: Readonly<Record<string, readonly string[]>>;
  readonly slack: SlackConfig;
  readonly discord: DiscordConfig;
  /** Messages that came while the service was down are answered if they are younger. */
  readonly catchUpMs: number;
  readonly web: { readonly host: string; readonly port: number; readonly publicUrl?: string };
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  /** Secret: never logged, never shown. */
  readonly adminToken?: string;
  /** Secrets and addresses of the model providers that the environment names. */
  readonly models: ModelAccess;
  /** What can go on but should be looked at. */
  readonly warnings: readonly ConfigProblem[];
}
