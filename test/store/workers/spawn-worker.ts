import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type WorkerTask = "open" | "hold" | "commit" | "fill";

/** A process of its own on a data folder. It speaks in lines. */
export interface Worker {
  readonly pid: number;
  /** The next line that it says; rejects when it ends first. */
  next(): Promise<string>;
  say(line: string): void;
  kill(): void;
  readonly ended: Promise<void>;
}

export interface WorkerOptions {
  /** Run as this user; only root may ask for it. */
  readonly uid?: number;
  /** Largest file that it may write, in KiB. */
  readonly maxFileKib?: number;
}

const SCRIPT = fileURLToPath(new URL("store-worker.ts", import.meta.url));

/** Starts a worker. The test that starts it kills it or waits for its end. */
export function spawnWorker(task: WorkerTask, dataDir: string, options: WorkerOptions = {}): Worker {
  const { uid, maxFileKib } = options;
  const command = [process.execPath, "--import", "tsx", SCRIPT, task, dataDir];
  const limited = ["bash", "-c", `ulimit -S -f ${maxFileKib}; exec "$@"`, "bash", ...command];
  const [file = "", ...args] = maxFileKib === undefined ? command : limited;
  const child = spawn(file, args, {
    stdio: ["pipe", "pipe", "inherit"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    async next() {
      const line = await lines.next();
      if (line.done) throw new Error(`the ${task} worker ended without another line`);
      return line.value;
    },
    say: (line) => void child.stdin.write(`${line}\n`),
    kill: () => void child.kill("SIGKILL"),
    ended: exitOf(child),
  };
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("exit", () => resolve());
    child.once("error", reject);
  });
}
