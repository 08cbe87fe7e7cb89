import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseConfig, type ReadConfig, readConfigFile } from "./config-file.js";
import { readDiscord } from "./discord.js";
import { type Environment, type EnvironmentSettings, misspelt, parseText, readEnvironment } from "./environment.js";
import { line } from "./fields.js";
import type { DiscordConfig, LoadedConfig, SlackConfig } from "./loaded.js";
import { missingProgram, pairGuardOf } from "./pair-guard.js";
import type { ModelChoice } from "./persona-fields.js";
import { type PersonaFolder, type PersonaSet, readPersonas } from "./personas.js";
import { type ConfigProblem, InvalidConfigError, isError, sortProblems } from "./problem.js";
import { shownPath } from "./read-text.js";
import { checkReferences } from "./references.js";
import { DEFAULT_BURST_BUDGET, port } from "./schema.js";
import { readSlack } from "./slack.js";

/** The configuration file that is read if nothing names another. */
const CONFIG_FILE = "troupe.yaml";

/** Values of the command line, as typed. */
export interface ConfigFlags {
  /** `--data` */
  readonly data?: string;
  /** `--port` */
  readonly port?: string;
}

/** What the configuration is read from. */
export interface ConfigSources {
  /** `--config`; else `TROUPE_CONFIG`, else `troupe.yaml` in `cwd` if it is there. */
  readonly file?: string;
  readonly env: Environment;
  readonly flags?: ConfigFlags;
  /** Folder of the installed package, where the demo personas are. */
  readonly packageDir: string;
  /** Default: the process's. */
  readonly cwd?: string;
  /** Take a model that cannot be reached for want of a key for an error. Default: a warning, since the rest can go on. */
  readonly strict?: boolean;
}

/**
 * Reads everything that the service needs to know, with the precedence flag, environment, file, default. Connects to nothing.
 * Throws only `InvalidConfigError`, which lists every problem found.
 */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  const cwd = sources.cwd ?? process.cwd();
  const named = sources.file ?? (sources.env.TROUPE_CONFIG?.trim() || undefined);
  const path = resolve(cwd, named ?? CONFIG_FILE);
  const file = named !== undefined || existsSync(path) ? path : undefined;
  const read = file === undefined ? parseConfig("", CONFIG_FILE) : await readConfigFile(file, shownPath(file, cwd));
  const env = await readEnvironment(sources.env, cwd);
  const flags = readFlags(sources.flags ?? {});
  const folder = personaFolder({ sources, read, env, cwd, file });
  const set = await readPersonas(folder);
  const slack = await readSlack({ read, env, set, variables: sources.env, cwd, strict: sources.strict === true });
  const discord = readDiscord({ env, set });
  const problems = [
    ...read.problems,
    ...env.problems,
    ...slack.problems,
    ...discord.problems,
    ...misspelt(sources.env),
    ...flags.problems,
    ...set.problems,
    ...checkReferences(read, set),
    ...missingPersonas(set, folder),
    ...missingProgram(read, sources.env, folderOf(file, cwd)),
  ];
  if (problems.some(isError)) throw new InvalidConfigError(problems);
  const warnings = sortProblems(problems);
  return resolved({ read, env, flags, folder, set, cwd, file, slack: slack.config, discord: discord.config, warnings });
}

interface Flags {
  readonly data?: string | undefined;
  readonly port?: number | undefined;
  readonly problems: readonly ConfigProblem[];
}

function readFlags(flags: ConfigFlags): Flags {
  const problems: ConfigProblem[] = [];
  const place = (key: string) => ({ file: "command line", key });
  return {
    data: flags.data === undefined ? undefined : parseText(line(4096), flags.data, place("--data"), problems),
    port: flags.port === undefined ? undefined : parseText(port, flags.port, place("--port"), problems),
    problems,
  };
}

interface Found {
  readonly sources: ConfigSources;
  readonly read: ReadConfig;
  readonly env: EnvironmentSettings;
  readonly cwd: string;
  readonly file: string | undefined;
}

/** The folder that the file names, else `personas` beside it, else the demo personas, so that an empty file works too. */
function personaFolder({ sources, read, env, cwd, file }: Found): PersonaFolder {
  const named = read.settings.personas;
  const beside = file === undefined ? undefined : resolve(dirname(file), named ?? "personas");
  const isThere = beside !== undefined && (named !== undefined || existsSync(beside));
  const defaultModel = env.TROUPE_DEFAULT_MODEL ?? read.settings.default_model;
  const models: ModelChoice = {
    ...(defaultModel === undefined ? {} : { defaultModel }),
    access: env.models,
    missingAccess: sources.strict === true ? "error" : "warning",
  };
  return { dir: isThere ? beside : join(sources.packageDir, "demo", "personas"), cwd, models };
}

function missingPersonas(set: PersonaSet, folder: PersonaFolder): readonly ConfigProblem[] {
  if (set.personas.length > 0 || set.problems.some(isError)) return [];
  const mend = "write a persona file, such as alpha.md, or let troupe init write examples";
  return [
    {
      file: shownPath(folder.dir, folder.cwd),
      key: "personas",
      message: "holds no persona file",
      mend,
      severity: "error",
    },
  ];
}

interface Parts extends Omit<Found, "sources"> {
  readonly flags: Flags;
  readonly folder: PersonaFolder;
  readonly set: PersonaSet;
  readonly slack: SlackConfig;
  readonly discord: DiscordConfig;
  readonly warnings: readonly ConfigProblem[];
}

function resolved({ read, env, flags, folder, set, cwd, file, slack, discord, warnings }: Parts): LoadedConfig {
  const { settings } = read;
  const budget = env.TROUPE_BURST_BUDGET ?? settings.multi_agent.burst_budget;
  const publicUrl = env.TROUPE_PUBLIC_URL ?? settings.web.public_url;
  const { defaultModel } = folder.models;
  return {
    ...(file === undefined ? {} : { file }),
    team: settings.team,
    personas: set.personas,
    personaFolder: folder,
    personaSet: set,
    ...(settings.default_persona === undefined ? {} : { defaultPersona: settings.default_persona }),
    ...(defaultModel === undefined ? {} : { defaultModel }),
    burstBudget: { value: budget ?? DEFAULT_BURST_BUDGET, source: budget === undefined ? "default" : "configuration" },
    fanout: settings.multi_agent.fanout,
    pairGuard: pairGuardOf(settings, env, folderOf(file, cwd)),
    limits: {
      maxConcurrentTurns: settings.limits.max_concurrent_turns,
      turnTimeoutMs: settings.limits.turn_timeout_secs * 1000,
      maxSteps: settings.limits.max_steps,
    },
    schedules: {
      minIntervalMs: settings.schedules.min_interval_secs * 1000,
      maxPerPersona: settings.schedules.max_per_persona,
      maxPerRoom: settings.schedules.max_per_room,
    },
    rooms: { defaults: settings.rooms.defaults, overrides: overridesOf(settings) },
    admins: settings.admins,
    slack,
    discord,
    catchUpMs: settings.catch_up_minutes * 60_000,
    web: {
      host: env.TROUPE_HOST ?? settings.web.host,
      port: flags.port ?? env.TROUPE_PORT ?? settings.web.port,
      ...(publicUrl === undefined ? {} : { publicUrl }),
    },
    dataDir: resolve(cwd, flags.data ?? env.TROUPE_DATA_DIR ?? "data"),
    logLevel: env.TROUPE_LOG_LEVEL ?? "info",
    ...(env.adminToken === undefined ? {} : { adminToken: env.adminToken }),
    models: env.models,
    warnings,
  };
}

/** Where paths of the configuration file begin. */
function folderOf(file: string | undefined, cwd: string): string {
  return file === undefined ? cwd : dirname(file);
}

/** zod marks an absent key as `undefined`; the settings leave it out. */
function overridesOf(settings: ReadConfig["settings"]): LoadedConfig["rooms"]["overrides"] {
  return new Map(Object.entries(settings.rooms.overrides).map(([id, room]) => [id, present(room)]));
}

function present<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  // Dropping what is `undefined` is just what the type says.
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as ReturnType<
    typeof present<Value>
  >;
}
