import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const HERE = import.meta.dirname;
const SERVICE = resolve(HERE, "../dist/src/cli/main.js");
const PEERS = join(HERE, "peers");

/** Where Slack is, and what it knows us by. */
export interface SlackAccess {
  readonly SLACK_API_URL: string;
  readonly SLACK_BOT_TOKEN: string;
  readonly SLACK_SIGNING_SECRET: string;
}

/** A bot under measurement, in a process of its own. */
export interface RunningSystem {
  /** Where it takes Slack's requests. */
  readonly requestUrl: string;
  /** Milliseconds that its processor has worked for it until now: what noise changes least. */
  worked(): number;
  /** Resident memory in MB, after what can be given back has been given back. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

export interface System {
  readonly name: string;
  start(access: SlackAccess): Promise<RunningSystem>;
}

/** What is compared, ours first. Without the peers installed, only with Bolt. */
export function systems(): readonly System[] {
  if (!existsSync(SERVICE)) throw new Error("the service is not built: run npm run build first");
  const hasPeers = existsSync(join(PEERS, "node_modules/chat"));
  if (!hasPeers) console.error("peers not installed: npm ci --prefix bench/peers");
  return [
    { name: "Troupe", start: startTroupe },
    echo("Bolt", join(HERE, "bolt-echo.mjs")),
    ...(hasPeers ? [echo("Chat SDK", join(PEERS, "chat-echo.mjs"))] : []),
  ];
}

/** One persona that says what it is told, in a service as anybody would run it, but at no pace. */
async function startTroupe(access: SlackAccess): Promise<RunningSystem> {
  const project = await mkdtemp(join(tmpdir(), "troupe-bench-"));
  mkdirSync(join(project, "personas"));
  writeFileSync(join(project, "troupe.yaml"), "slack: { pace: 0 }\n");
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
  return { requestUrl: `${url}/slack/events`, ...gauges(child), stop };
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`);
  await answer.arrayBuffer();
  return answer.ok;
}

function echo(name: string, script: string): System {
  return {
    name,
    async start(access) {
      const child = launch([script], access, HERE);
      const url = await written(child, /http:\S+/);
      return { requestUrl: `${url}/slack/events`, ...gauges(child), stop: () => end(child) };
    },
  };
}

/** With `TROUPE_BENCH_PROFILE` each process leaves a profile of its processor time in that folder, and is slower. */
function launch(args: readonly string[], access: SlackAccess, cwd: string): ChildProcess {
  const { PATH = "", TROUPE_BENCH_PROFILE: folder } = process.env;
  const profile = folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
  return spawn(process.execPath, ["--expose-gc", "--import", join(HERE, "collect.mjs"), ...profile, ...args], {
    cwd,
    env: { PATH, TMPDIR: tmpdir(), NODE_ENV: "production", ...access },
    stdio: ["ignore", "pipe", "ignore"],
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
    child.once("exit", (code) => fail(new Error(`${child.spawnfile} ended with ${code} before it listened`)));
    child.once("error", fail);
  });
}

function gauges(child: ChildProcess): Pick<RunningSystem, "worked" | "memory"> {
  return { worked: () => workedBy(child), memory: () => memoryOf(child) };
}

/** Linux counts in hundredths of a second. */
function workedBy({ pid = 0 }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function memoryOf({ pid = 0 }: ChildProcess): Promise<number> {
  process.kill(pid, "SIGUSR2");
  await sleep(500);
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  await gone;
}
