import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { run } from "../../src/cli/program.js";
import { createTempDir } from "./temp-dir.js";

const ROOT = resolve(import.meta.dirname, "../..");
/** The program, from its sources. */
export const MAIN = join(ROOT, "src/cli/main.ts");
/** What lets Node run it. */
export const LOADER = join(ROOT, "node_modules/tsx/dist/loader.mjs");

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  /** Further modules to load first. */
  readonly imports?: readonly string[];
}

/** What a command left behind. */
export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. It is killed after the test if it still does. */
export interface Running {
  readonly pid: number;
  /** Resolves with the first match in what it has written so far, on either output; rejects when it ends without one. */
  written(pattern: RegExp): Promise<RegExpExecArray>;
  signal(signal: NodeJS.Signals): void;
  /** Closes our end of its standard output. */
  closeStdout(): void;
  readonly exited: Promise<Ran>;
}

/** Starts the program from its sources in a process of its own, with nothing of this environment but what is needed to run. */
export function startCli(args: readonly string[], { cwd, env = {}, uid, imports = [] }: CliOptions): Running {
  const loaders = [LOADER, ...imports].flatMap((path) => ["--import", path]);
  const child = spawn(process.execPath, [...loaders, MAIN, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", TMPDIR: tmpdir(), TZ: "UTC", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return follow(child);
}

/** Runs a command to its end, in a process of its own. */
export function spawnCli(args: readonly string[], options: CliOptions): Promise<Ran> {
  return startCli(args, options).exited;
}

/** Runs a command to its end in this process, which is faster; not for those that wait for signals. */
export async function runCli(
  args: readonly string[],
  { cwd, env = {}, tty = false }: Pick<CliOptions, "cwd" | "env"> & { readonly tty?: boolean },
): Promise<Omit<Ran, "signal">> {
  const texts = { stdout: "", stderr: "" };
  const output = (name: keyof typeof texts) => ({
    isTTY: tty,
    write(text: string) {
      texts[name] += text;
    },
  });
  const code = await run(args, { stdout: output("stdout"), stderr: output("stderr"), env, cwd });
  return { code, ...texts };
}

function follow(child: ChildProcess): Running {
  const texts = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  const notify = () => {
    for (const look of waiting) look();
  };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
      notify();
    });
  }
  let ended: Ran | undefined;
  const exited = new Promise<Ran>((done, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      ended = { code, signal, ...texts };
      notify();
      done(ended);
    });
  });
  return {
    pid: child.pid ?? 0,
    exited,
    signal: (signal) => void child.kill(signal),
    closeStdout: () => void child.stdout?.destroy(),
    written: (pattern) =>
      new Promise((done, reject) => {
        const look = () => {
          const match = pattern.exec(texts.stdout) ?? pattern.exec(texts.stderr);
          if (match === null && ended === undefined) return;
          waiting.delete(look);
          if (match !== null) done(match);
          else reject(new Error(`it ended without ${pattern}: ${JSON.stringify(ended)}`));
        };
        waiting.add(look);
        look();
      }),
  };
}

/** A project folder with these files, removed after the test. */
export function createProject(files: Readonly<Record<string, string>> = {}): string {
  const { path, remove } = createTempDir();
  onTestFinished(remove);
  for (const [name, text] of Object.entries(files)) writeIn(path, name, text);
  return path;
}

/** Writes a file of a project, making its folder. */
export function writeIn(project: string, name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

/** A persona file with a script, given as YAML list items. */
export function scriptedPersona(name: string, ...rules: readonly string[]): string {
  const script = rules.map((rule) => `  - ${rule}\n`).join("");
  return `---\nname: ${name}\ndescription: The persona ${name}.\nscript:\n${script}---\nYou are ${name}.\n`;
}

/** A running service, with the person's key. */
export interface RunningService extends Running {
  readonly url: string;
  readonly port: number;
  readonly key: string;
}

/** Starts the service of a project on a free port and waits for its link. */
export async function startService(
  project: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<RunningService> {
  const running = startCli(["start", "--port", "0", ...args], { cwd: project, env: { TROUPE_PRINT_KEY: "1", ...env } });
  const [, url = "", port, key = ""] = await running.written(/(http:\/\/127\.0\.0\.1:(\d+))\/#key=(\S+)\n/);
  return { ...running, url, port: Number(port), key };
}
