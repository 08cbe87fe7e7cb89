import { accessSync, constants } from "node:fs";
import { delimiter, resolve } from "node:path";
import type { ReadConfig } from "./config-file.js";
import type { Environment, EnvironmentSettings } from "./environment.js";
import type { LoadedConfig } from "./loaded.js";
import { type ConfigProblem, quoted } from "./problem.js";
import { problemAt } from "./validate.js";

/** The pair guard as the environment and the file say. `folder`: where the command runs. */
export function pairGuardOf(
  settings: ReadConfig["settings"],
  env: EnvironmentSettings,
  folder: string,
): LoadedConfig["pairGuard"] {
  const { pair_guard: file } = settings;
  const [program, ...args] = file.notify_command ?? [];
  return {
    settings: {
      enabled: env.TROUPE_PAIR_GUARD === undefined ? file.enabled : env.TROUPE_PAIR_GUARD === "1",
      alternations: env.TROUPE_PAIR_ALTERNATIONS ?? file.alternations,
      repeats: env.TROUPE_PAIR_REPEATS ?? file.repeats,
      similarity: env.TROUPE_PAIR_SIMILARITY ?? file.similarity,
      maxMessages: env.TROUPE_PAIR_MAX_MESSAGES ?? file.max_messages,
      windowSecs: env.TROUPE_PAIR_WINDOW_SECS ?? file.window_secs,
      heldMax: file.held_max,
    },
    resume: file.resume,
    ...(program === undefined ? {} : { notify: { program, args, cwd: folder } }),
  };
}

/** Says early what would otherwise show at the first pause: that the command's program is not there. */
export function missingProgram(
  { settings, place }: ReadConfig,
  env: Environment,
  folder: string,
): readonly ConfigProblem[] {
  const program = settings.pair_guard.notify_command?.[0];
  if (program === undefined || isThere(program, env.PATH ?? "", folder)) return [];
  const where = program.includes("/") ? `from ${quoted(folder)}` : "in PATH";
  const message = `there is no program ${quoted(program)} ${where}, so nobody would be told of a pause`;
  const mend = "write its whole path, and see that it may be run";
  const path = ["pair_guard", "notify_command", 0];
  return [{ ...problemAt(place, { path, at: "value", message, mend }), severity: "warning" }];
}

function isThere(program: string, path: string, folder: string): boolean {
  if (program.includes("/")) return mayRun(resolve(folder, program));
  return path.split(delimiter).some((place) => mayRun(resolve(folder, place, program)));
}

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
