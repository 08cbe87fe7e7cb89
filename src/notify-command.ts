import { type ChildProcess, spawn } from "node:child_process";
import type { Program } from "./config/loaded.js";
import type { NotifyPause, PauseReport } from "./engine/guard/notify.js";
import { createSemaphore } from "./engine/semaphore.js";
import type { Clock } from "./ports/clock.js";

export interface NotifyCommandOptions {
  readonly program: Program;
  /** The program's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** A program of the operator's that is told of pauses. */
export interface NotifyCommand {
  /** Rejects with the reason when the program cannot be run, is killed or does not end with 0. */
  readonly notify: NotifyPause;
  /** Lets what runs end by itself until the deadline; then it is killed. */
  stop(deadlineMs: number): Promise<void>;
}

const DEADLINE_MS = 10_000;
/** Of many pauses at once, so many are told at a time. */
const MOST_AT_ONCE = 4;

/**
 * Tells the operator of a pause by running a program, without a shell: the report is JSON on its input, nothing of it
 * is an argument, and its output is not read. Ten seconds after its start its whole process group is killed.
 */
export function createNotifyCommand(options: NotifyCommandOptions): NotifyCommand {
  const places = createSemaphore(MOST_AT_ONCE);
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function tell(report: PauseReport): Promise<void> {
    const leave = await places.acquire(stopping.signal);
    try {
      await run(options, report, stopping.signal);
    } finally {
      leave();
    }
  }

  return {
    async notify(report) {
      const told = tell(report);
      running.add(told);
      try {
        await told;
      } finally {
        running.delete(told);
      }
    },
    async stop(deadlineMs) {
      const cancel = options.clock.after(deadlineMs, () => stopping.abort(new Error("the service has stopped")));
      await Promise.allSettled(running);
      cancel();
    },
  };
}

function run(
  { program: { program, args, cwd }, env, clock }: NotifyCommandOptions,
  report: PauseReport,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that what the program starts can be killed with it.
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["pipe", "ignore", "ignore"] });
    let killed: string | undefined;
    const kill = (why: string) => {
      killed ??= why;
      killGroup(child);
    };
    const cancel = clock.after(DEADLINE_MS, () => kill(`it ran longer than ${DEADLINE_MS / 1_000} s and was killed`));
    const onStop = () => kill("the service stopped before it ended");
    signal.addEventListener("abort", onStop, { once: true });
    const end = (failure: string | undefined) => {
      cancel();
      signal.removeEventListener("abort", onStop);
      child.stdin.destroy();
      if (failure === undefined) resolve();
      else reject(new Error(failure));
    };
    child.once("error", (error) => end(cannotRun(program, error)));
    child.once("exit", (code, by) => end(killed ?? (code === 0 ? undefined : `it ended with ${code ?? by}`)));
    // A program that does not read its input is no failure.
    child.stdin.on("error", () => {});
    child.stdin.end(`${JSON.stringify(inputFor(report))}\n`);
  });
}

/** Named one by one: what the program gets is a promise to its author. */
function inputFor({ room, session, pair, reason, count, limit, held, at }: PauseReport) {
  return { room, session, pair, reason, count, limit, held, at: new Date(at).toISOString() };
}

function cannotRun(program: string, error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return `${program} is not there: see pair_guard.notify_command`;
  if (error.code === "EACCES") return `${program} may not be run: see pair_guard.notify_command`;
  return error.message;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
