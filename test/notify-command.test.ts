import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Program } from "../src/config/loaded.js";
import { childEnvironment } from "../src/domain/child-environment.js";
import type { PauseReport } from "../src/engine/guard/notify.js";
import { createNotifyCommand } from "../src/notify-command.js";
import { createFakeClock } from "./support/fake-clock.js";
import { createTempDir } from "./support/temp-dir.js";

const REPORT: PauseReport = {
  room: "web:local:main",
  session: "web:local:main",
  pair: ["alpha", "$(touch pwned) `touch pwned`; touch pwned"],
  reason: "alternation",
  count: 10,
  limit: 10,
  held: 1,
  at: Date.UTC(2026, 0, 5, 9),
};

/** A program in a folder of its own, with what it needs to be watched. */
function programOf(program: string, ...args: readonly string[]) {
  const { path, remove } = createTempDir();
  onTestFinished(remove);
  const clock = createFakeClock();
  const command = createNotifyCommand({
    program: { program, args, cwd: path } satisfies Program,
    env: childEnvironment(process.env),
    clock,
  });
  return {
    clock,
    command,
    written: (name: string) => readFileSync(join(path, name), "utf8"),
    has: (name: string) => existsSync(join(path, name)),
    write: (name: string) => writeFileSync(join(path, name), ""),
  };
}

const shell = (script: string, ...args: readonly string[]) => programOf("sh", "-c", script, "notify", ...args);

/** Lets real time pass until something is so; a test that waits for ever fails by its own deadline. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function isRunning(pid: number): boolean {
  try {
    // A killed process that nobody has waited for yet still has a number.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe("the notify command", () => {
  it("gets the figures of the pause as JSON on its input, and not a word of them as an argument", async () => {
    const { command, written, has } = shell('cat > input; printf "%s\\n" "$0" "$@" > arguments', "--urgent", "a b");

    await command.notify(REPORT);

    expect(JSON.parse(written("input"))).toEqual({ ...REPORT, at: "2026-01-05T09:00:00.000Z" });
    expect(written("arguments")).toBe("notify\n--urgent\na b\n");
    expect(has("pwned")).toBe(false);
  });

  it("is run without a shell: what would mean something to one is passed on as it is", async () => {
    const { command, written } = programOf(
      "node",
      "-e",
      "fs.writeFileSync('said', process.argv[1])",
      "$HOME; `id` > x",
    );

    await command.notify(REPORT);

    expect(written("said")).toBe("$HOME; `id` > x");
  });

  it("fails with one reason when its program is not there, may not be run or does not end with 0", async () => {
    await expect(programOf("no-such-program").command.notify(REPORT)).rejects.toThrow(
      "no-such-program is not there: see pair_guard.notify_command",
    );
    await expect(programOf("/dev/null").command.notify(REPORT)).rejects.toThrow("/dev/null may not be run");
    await expect(shell("exit 3").command.notify(REPORT)).rejects.toThrow("it ended with 3");
    await expect(shell("kill -TERM $$").command.notify(REPORT)).rejects.toThrow("it ended with SIGTERM");
  });

  it("may leave its input unread and write as much as it likes", async () => {
    const { command } = shell("exec <&-; head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2");

    await expect(command.notify(REPORT)).resolves.toBeUndefined();
  });

  it("is killed after ten seconds, with everything that it has started", async () => {
    const { clock, command, written, has } = shell("sleep 600 & echo $! > child; echo $$ > self; sleep 600");
    const told = command.notify(REPORT);
    const failure = expect(told).rejects.toThrow("it ran longer than 10 s and was killed");
    await until(() => has("self") && written("self").endsWith("\n"));
    const pids = [Number(written("child")), Number(written("self"))];
    expect(pids.map(isRunning)).toEqual([true, true]);

    await clock.advance(9_999);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await clock.advance(1);

    await failure;
    await until(() => !pids.some(isRunning));
    expect(clock.pending).toBe(0);
  });

  it("may end by itself when the service stops, and is killed at the deadline if it does not", async () => {
    const slow = shell("cat > input; until [ -e go ]; do sleep 0.01; done; echo done > result");
    const stuck = shell("echo $$ > self; sleep 600");
    const [toldSlow, toldStuck] = [slow.command.notify(REPORT), stuck.command.notify(REPORT)];
    const failure = expect(toldStuck).rejects.toThrow("the service stopped before it ended");
    await until(() => slow.has("input") && stuck.has("self"));

    const stopped = [slow.command.stop(5_000), stuck.command.stop(5_000)];
    slow.write("go");
    await toldSlow;
    await stuck.clock.advance(5_000);
    await Promise.all(stopped);

    await failure;
    expect(slow.written("result")).toBe("done\n");
    expect(slow.clock.pending).toBe(0);
  });

  it("is run for four pauses at a time, the others wait", async () => {
    const { command, clock, written, has } = shell("echo $$ >> started; sleep 600");
    const told = Promise.allSettled(Array.from({ length: 6 }, () => command.notify(REPORT)));
    const started = () => (has("started") ? written("started").split("\n").length - 1 : 0);
    await until(() => started() === 4);

    await clock.advance(10_000);
    await until(() => started() === 6);
    await clock.advance(10_000);

    expect((await told).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => "rejected"));
  });
});

describe("the environment of a child process", () => {
  it("holds what programs need to run, and nothing of ours", () => {
    const env = {
      PATH: "/bin",
      HOME: "/srv/op",
      LANG: "en_GB.UTF-8",
      TZ: "UTC",
      TROUPE_ADMIN_TOKEN: "secret",
      TROUPE_PRINT_KEY: "1",
      ANTHROPIC_API_KEY: "secret",
      SLACK_BOT_TOKEN: "secret",
      DISCORD_TOKEN: "secret",
      REDIS_URL: "redis://:secret@127.0.0.1",
      HTTPS_PROXY: "http://user:secret@127.0.0.1",
      NODE_OPTIONS: "--require ./hook.cjs",
    };

    expect(childEnvironment(env)).toEqual({ PATH: "/bin", HOME: "/srv/op", LANG: "en_GB.UTF-8", TZ: "UTC" });
  });

  it("reaches the notify command as it is", async () => {
    const { command, written } = shell("env > seen");
    await command.notify(REPORT);

    const names = written("seen")
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0]);
    const shells = ["PWD", "OLDPWD", "SHLVL", "_"];
    expect(names.filter((name) => name !== undefined && !shells.includes(name)).sort()).toEqual(
      Object.keys(childEnvironment(process.env)).sort(),
    );
  });
});
