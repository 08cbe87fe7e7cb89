import { InvalidConfigError } from "../config/problem.js";
import { TroupeError } from "../domain/errors.js";
import { type Io, shown } from "./terminal.js";

/** What a command ends with. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** Tells the operator what went wrong and how to mend it; returns the exit code. */
export function reportFailure(error: unknown, { stderr, env }: Io): number {
  stderr.write(`${shown(wordsFor(error, env.TROUPE_LOG_LEVEL === "debug"))}\n`);
  return EXIT.failed;
}

function wordsFor(error: unknown, isDebug: boolean): string {
  if (error instanceof InvalidConfigError) return error.message;
  if (error instanceof TroupeError) return `troupe: ${error.message}`;
  if (error instanceof Error && isDebug) return `troupe: ${error.stack ?? error.message}`;
  const message = error instanceof Error ? error.message : String(error);
  return `troupe: unexpected failure: ${message} (TROUPE_LOG_LEVEL=debug shows where)`;
}
