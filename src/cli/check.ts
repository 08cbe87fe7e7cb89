import { checkProject } from "../config/check.js";
import type { LoadedConfig } from "../config/loaded.js";
import { type ConfigProblem, formatProblem, isError } from "../config/problem.js";
import { EXIT } from "./failure.js";
import { configSources, type PlaceFlags } from "./places.js";
import { type Colours, coloursFor, type Io } from "./terminal.js";

export interface CheckFlags extends PlaceFlags {
  readonly json?: true;
}

/** `troupe check`: every problem on a line of its own. Returns the exit code. */
export async function check(flags: CheckFlags, io: Io): Promise<number> {
  const { ok, problems, config } = await checkProject(configSources(flags, io));
  if (flags.json) io.stdout.write(`${JSON.stringify({ ok, problems }, undefined, 2)}\n`);
  else for (const line of lines(ok, problems, config, coloursFor(io))) io.stdout.write(`${line}\n`);
  return ok ? EXIT.ok : EXIT.failed;
}

function lines(ok: boolean, problems: readonly ConfigProblem[], config: LoadedConfig | undefined, colours: Colours) {
  const found = problems.map((problem) =>
    isError(problem)
      ? colours.red(formatProblem(problem))
      : colours.yellow(formatProblem({ ...problem, message: `warning: ${problem.message}` })),
  );
  const errors = problems.filter(isError).length;
  const counts = [count(errors, "error"), count(problems.length - errors, "warning")].filter((text) => text !== "");
  if (!ok || config === undefined) return [...found, `Not ready: ${counts.join(", ")}.`];
  const names = config.personas.map(({ name }) => name).join(", ");
  const about = counts.length === 0 ? "" : ` ${counts.join(", ")}.`;
  return [...found, `${colours.green("Ready")}: ${count(config.personas.length, "persona")} (${names}).${about}`];
}

function count(number: number, word: string): string {
  if (number === 0) return "";
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
