import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const HERE = import.meta.dirname;
const SERVICE = resolve(HERE, "../dist/bin/troupe.js");

/** What a process holds after what can be given back has been given back, in MB. */
export interface Held {
  readonly heap: number;
  readonly resident: number;
}

/** A bot under measurement, in a process of its own. */
export interface BotProcess {
  /** Milliseconds that its processor has worked for it until now: what noise changes least. */
  worked(): number;
  memory(): Promise<Held>;
  stop(): Promise<void>;
}

/** How a bot learns where the platform is: its environment. */
export type Access = Readonly<Record<string, string>>;

/**
 * One persona, `alpha`, that says what it is told, in a service as anybody would run it, with these lines in its `troupe.yaml`.
 * `url`: where its own server is. Resolves when it is ready.
 */
export async function startTroupe(settings: string, access: Access): Promise<BotProcess & { readonly url: string }> {
  if (!existsSync(SERVICE)) throw new Error("the service is not built: run npm run build first");
  const project = await mkdtemp(join(tmpdir(), "troupe-bench-"));
  mkdirSync(join(project, "personas"));
  writeFileSync(join(project, "troupe.yaml"), settings);
  const persona =
    '---\nname: alpha\ndescription: Says what it is told.\nscript:\n  - say: "{{text}}"\n---\nYou are alpha.\n';
  writeFileSync(join(project, "personas/alpha.md"), persona);
  const child = launch([SERVICE, "start", "--port", "0"], access, project);
  const url = await written(child, /http:\/\/127\.0\.0\.1:\d+/);
  while (!(await isReady(url))) await sleep(10);
  const stop = async () => {
    await end(child);
    rmSync(project, { recursive: true, force: true });
  };
  return { url, ...gauges(child), stop };
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`);
  await answer.arrayBuffer();
  return answer.ok;
}

/** A script that writes something when it is ready; `said` is the first match. */
export async function startScript(
  script: string,
  ready: RegExp,
  access: Access,
): Promise<BotProcess & { readonly said: string }> {
  const child = launch([script], access, HERE);
  const said = await written(child, ready);
  return { said, ...gauges(child), stop: () => end(child) };
}

/** With `TROUPE_BENCH_PROFILE` each process leaves a profile of its processor time in that folder, and is slower. */
function launch(args: readonly string[], access: Access, cwd: string): ChildProcess {
  const { PATH = "", TROUPE_BENCH_PROFILE: folder } = process.env;
  const profile = folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
  return spawn(process.execPath, ["--expose-gc", "--import", join(HERE, "collect.mjs"), ...profile, ...args], {
    cwd,
    env: { PATH, TMPDIR: tmpdir(), NODE_ENV: "production", ...access },
    stdio: ["ignore", "pipe", "ignore", "ipc"],
  });
}

/** The first match in what a process writes. */
function written(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      const match = pattern.exec(text);
      if (match) done(match[0]);
    });
    child.once("exit", (code) => fail(new Error(`${child.spawnfile} ended with ${code} before it was ready`)));
    child.once("error", fail);
  });
}

function gauges(child: ChildProcess): Pick<BotProcess, "worked" | "memory"> {
  return { worked: () => workedBy(child), memory: () => memoryOf(child) };
}

/** Linux counts in hundredths of a second. */
function workedBy({ pid = 0 }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function memoryOf(child: ChildProcess): Promise<Held> {
  const { pid = 0 } = child;
  const collected = new Promise<number>((done) => child.once("message", (bytes) => done(Number(bytes))));
  process.kill(pid, "SIGUSR2");
  const heap = (await collected) / 1024 ** 2;
  await sleep(500);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return { heap, resident: Number(kilobytes) / 1024 };
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  await gone;
}
