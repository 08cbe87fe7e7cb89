import { ConfigError } from "../domain/errors.js";

/** One thing that is wrong, or doubtful, in the configuration: where it is and how to mend it. */
export interface ConfigProblem {
  /** Path as shown to the operator, or `environment` or `command line`. */
  readonly file: string;
  /** From 1; absent where the place is no line of a file. */
  readonly line?: number;
  readonly column?: number;
  /** Dotted path of the key, name of the variable or of the flag. */
  readonly key?: string;
  readonly message: string;
  readonly mend?: string;
  readonly severity: "error" | "warning";
}

/** Thrown when the configuration cannot be used. Lists every problem found, warnings included, in file order. */
export class InvalidConfigError extends ConfigError {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const sorted = sortProblems(problems);
    super("config_invalid", sorted.filter(isError).map(formatProblem).join("\n"));
    this.problems = sorted;
  }
}

/** Whether the problem keeps the configuration from being used. */
export function isError(problem: ConfigProblem): boolean {
  return problem.severity === "error";
}

/** `file:line:column: message (key) — mend`, with control and direction characters escaped. One line. */
export function formatProblem(problem: ConfigProblem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(":");
  const key = problem.key === undefined ? "" : ` (${problem.key})`;
  const mend = problem.mend === undefined ? "" : ` — ${problem.mend}`;
  return escapeHidden(`${place}: ${problem.message}${key}${mend}`);
}

/** By file, line and column; stable, and not dependent on the order in which problems were found. */
export function sortProblems(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.toSorted(
    (a, b) =>
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

/** A value in double quotes for a message: cut at 60 characters. */
export function quoted(text: string): string {
  const characters = [...text.slice(0, 122)];
  return `"${characters.length > 60 ? `${characters.slice(0, 60).join("")}…` : text}"`;
}

/** Control, direction, zero-width and line separator characters, which a reader of a terminal could not see. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Writes hidden characters as `\u{…}`, so that a message shows what is there and cannot drive a terminal. */
export function escapeHidden(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
