import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { GUARD_KEYS, type GuardKey } from "../domain/guard-settings.js";
import { packageVersion } from "../package.js";
import type { CheckFlags } from "./check.js";
import type { DoctorFlags } from "./doctor.js";
import { EXIT, reportFailure } from "./failure.js";
import type { LogFlags } from "./log.js";
import type { ManifestFlags } from "./manifest.js";
import type { PairsFlags } from "./pairs.js";
import type { PlaceFlags } from "./places.js";
import type { RoomFlags } from "./rooms.js";
import type { SimulateFlags } from "./simulate/simulate.js";
import type { Io } from "./terminal.js";

/**
 * Runs the command line (without the program's own name) and resolves with the exit code: 0 ok, 1 the check or the
 * operation failed, 2 wrong usage. `start` resolves while the service goes on. Never rejects.
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const program = createProgram(io, async (work) => {
    code = await work;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportFailure(error, io);
  }
}

/** Takes a command's exit code when it has ended. */
type End = (code: Promise<number>) => Promise<void>;

/** The commands. What one needs is loaded when it runs: help and checks load no store, server or model. */
function createProgram(io: Io, end: End): Command {
  const program = new Command("troupe")
    .description("Chat channels as shared rooms of several AI agent personas.")
    .version(packageVersion())
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride()
    .showHelpAfterError("(troupe --help shows what there is)");
  addRunning(program, io, end);
  addProject(program, io, end);
  addReading(program, io, end);
  addPairs(program, io, end);
  addSimulate(program, io, end);
  return program;
}

function addRunning(program: Command, io: Io, end: End): void {
  const port = new Option("--port <number>", "port of the service, 0 for any free one").argParser(parsePort);
  program
    .command("start")
    .description("run the service")
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(port)
    .action(async (flags: PlaceFlags) => end((await import("./start.js")).start(flags, io)));
  program
    .command("demo")
    .description("print the demo conversation")
    .action(async () => end((await import("./demo.js")).demo(io)));
}

function addProject(program: Command, io: Io, end: End): void {
  program
    .command("init")
    .description("write troupe.yaml, personas and .env.example to begin with; overwrites nothing")
    .argument("[dir]", "folder to write to", ".")
    .action(async (dir: string) => end((await import("./init.js")).init(dir, io)));
  program
    .command("check")
    .description("check configuration, personas and environment without connecting")
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (flags: CheckFlags) => end((await import("./check.js")).check(flags, io)));
  program
    .command("doctor")
    .description("connect, and check tokens, store, models and clock; every problem with its mend")
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (flags: DoctorFlags) => end((await import("./doctor.js")).doctor(flags, io)));
  program
    .command("manifest")
    .description("print the app manifest that a platform imports")
    .addArgument(program.createArgument("<platform>", "which platform").choices(["slack"]))
    .addOption(
      new Option("--http <url>", "for requests to this https address instead of a socket").argParser(parseOrigin),
    )
    .option("--persona <name>", "of an app of the persona's own")
    .addOption(configOption())
    .action(async (_: "slack", flags: ManifestFlags) => end((await import("./manifest.js")).manifest(flags, io)));
  program
    .command("invite")
    .description("print the link that brings the bot into a server, with the permissions that it needs")
    .addArgument(program.createArgument("<platform>", "which platform").choices(["discord"]))
    .addOption(configOption())
    .action(async (_: "discord", flags: PlaceFlags) => end((await import("./invite.js")).invite(flags, io)));
  program
    .command("schema")
    .description("print the JSON Schema of a file, for editors")
    .addArgument(program.createArgument("<file>", "which file").choices(["config", "persona"]))
    .action(async (name: "config" | "persona") => {
      const { jsonSchemaOf } = await import("../config/json-schema.js");
      io.stdout.write(`${JSON.stringify(jsonSchemaOf(name), undefined, 2)}\n`);
    });
}

function addReading(program: Command, io: Io, end: End): void {
  const id = () => program.createArgument("<id>", "room or session id, platform:space:channel[:thread]");
  program
    .command("rooms")
    .description("list the rooms")
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (flags: RoomFlags) => end((await import("./rooms.js")).rooms(flags, io)));
  program
    .command("room")
    .description("show a room: members, host, burst, settings, pairs, notices")
    .addArgument(id())
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (room: string, flags: RoomFlags) => end((await import("./rooms.js")).room(room, flags, io)));
  program
    .command("log")
    .description("print a session's log, oldest first")
    .addArgument(id())
    .option("--follow", "go on with what comes, until Ctrl-C")
    .addOption(new Option("--after <seq>", "only entries after this number").argParser(parseSeq).default(0))
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(new Option("--json", "print one JSON object a line"))
    .action(async (session: string, flags: LogFlags) => end((await import("./log.js")).log(session, flags, io)));
}

function addPairs(program: Command, io: Io, end: End): void {
  program
    .command("pairs")
    .description("list the paused pairs of all rooms, and how much each holds")
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (flags: PairsFlags) => end((await import("./pairs.js")).pairs(flags, io)));
}

function addSimulate(program: Command, io: Io, end: End): void {
  program
    .command("simulate")
    .description("replay a conversation and say whom each message would wake, and why not")
    .argument(
      "<file|room>",
      "log (troupe log ID --json), transcript (name: text) or - for standard input; or a room's id",
    )
    .addOption(count("--budget <n>", "agent messages in a row without a person", 1, 1_000))
    .addOption(count("--fanout <n>", "mentioned personas that one message may wake", 1, 100))
    .addOption(new Option("--guard <on|off>", "the pair guard").choices(["on", "off"]))
    .addOption(threshold("alternations", "messages back and forth without progress"))
    .addOption(threshold("repeats", "nearly identical messages in a row"))
    .addOption(threshold("similarity", "percent from which messages are nearly identical"))
    .addOption(threshold("max_messages", "messages within the window, 0: any"))
    .addOption(threshold("window_secs", "the window in seconds, 0: none"))
    .addOption(threshold("held_max", "messages that a pause keeps"))
    .addOption(new Option("--wake <when>", "whether every message of a person wakes").choices(["mention", "always"]))
    .option("--host <name>", "persona that answers when nobody is mentioned")
    .option("--personas <names>", "who of a file are personas, with commas between")
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (source: string, flags: SimulateFlags) =>
      end((await import("./simulate/simulate.js")).simulate(source, flags, io)),
    );
}

/** A flag for one of the guard's thresholds, in the guard's own range. */
function threshold(name: GuardKey, description: string): Option {
  const { min, max } = GUARD_KEYS[name];
  return count(`--${name.replace("_", "-")} <n>`, description, min, max);
}

function count(flags: string, description: string, min: number, max: number): Option {
  return new Option(flags, description).argParser((text) => {
    if (/^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  });
}

function configOption(): Option {
  return new Option("--config <file>", "configuration file (default: TROUPE_CONFIG, else troupe.yaml)");
}

function dataOption(): Option {
  return new Option("--data <dir>", "data folder (default: TROUPE_DATA_DIR, else ./data)");
}

function jsonOption(): Option {
  return new Option("--json", "print JSON for programs");
}

function parsePort(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" && url.href === `${url.origin}/`) return url.origin;
  throw new InvalidArgumentError("It must be an https address without a path, such as https://troupe.example.org.");
}

function parseSeq(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 0 on.");
}
