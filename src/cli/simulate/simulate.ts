import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { loadConfig } from "../../config/load.js";
import type { LoadedConfig } from "../../config/loaded.js";
import { readText } from "../../config/read-text.js";
import { TroupeError } from "../../domain/errors.js";
import { isSessionId } from "../../domain/ids.js";
import { createMentionParser } from "../../domain/mention.js";
import type { GuardSettings } from "../../domain/pair.js";
import { simulate as replay } from "../../domain/simulation/simulate.js";
import type { SimulatedRoom } from "../../domain/simulation/simulation.js";
import { EXIT } from "../failure.js";
import { configSources, type PlaceFlags } from "../places.js";
import { type RoomShown, type RoomsReader, withRooms } from "../reading.js";
import { coloursFor, type Io, shown } from "../terminal.js";
import { logInput, type RawEntry, rawEntries } from "./log-input.js";
import type { ReplayInput, Speaker } from "./replay-input.js";
import { simulationJson } from "./report.js";
import { headLines, simulationLines } from "./table.js";
import { transcriptInput, transcriptLines } from "./transcript-input.js";

/** Other thresholds to try, and what a file does not tell of its room. */
export interface SimulateFlags extends PlaceFlags, Partial<Omit<GuardSettings, "enabled">> {
  readonly json?: true;
  readonly guard?: "on" | "off";
  readonly budget?: number;
  readonly fanout?: number;
  readonly wake?: "mention" | "always";
  readonly host?: string;
  /** Names with commas between. */
  readonly personas?: string;
}

/** Something to replay, and where. */
interface Prepared {
  readonly source: string;
  readonly input: ReplayInput;
  readonly room: SimulatedRoom;
}

/** `troupe simulate FILE|ROOM`: what routing, budget and guard would make of a log. Returns the exit code. */
export async function simulate(source: string, flags: SimulateFlags, io: Io): Promise<number> {
  const { input, room, ...prepared } = await prepare(source, flags, io);
  const simulation = replay(input.log, room);
  if (flags.json) {
    io.stdout.write(`${JSON.stringify(simulationJson(prepared.source, room, simulation), undefined, 2)}\n`);
    return EXIT.ok;
  }
  const names = new Map(input.personas.map(({ name, displayName }) => [name, displayName]));
  const nameOf = (persona: string) => shown(names.get(persona) ?? persona);
  const options = { room, nameOf, colours: coloursFor(io), columns: io.stdout.columns ?? WIDE };
  const lines = [...headLines(prepared.source, input, options), ...simulationLines(simulation, options)];
  io.stdout.write(`${lines.map((line) => line.trimEnd()).join("\n")}\n`);
  return EXIT.ok;
}

/** What goes to a file or through a pipe is as wide as this. */
const WIDE = 140;

function prepare(source: string, flags: SimulateFlags, io: Io): Promise<Prepared> {
  const path = source === "-" ? "/dev/stdin" : resolve(io.cwd, source);
  if (source === "-" || existsSync(path)) return fromFile(source, path, flags, io);
  if (isSessionId(source)) return fromRoom(source, flags, io);
  const mend = "name a file with a conversation, or a room as troupe rooms lists them";
  throw new TroupeError("not_found", `there is no file ${source}, and it is no room's id: ${mend}`);
}

/** Where a conversation from a file stands; its own place is not written in it. */
const FILE_ROOM = "file:local:log";

async function fromFile(source: string, path: string, flags: SimulateFlags, io: Io): Promise<Prepared> {
  const config = await loadConfig(configSources(flags, io));
  const read = source === "-" ? { text: await readStream(path) } : await readText(path, MAX_BYTES);
  if ("fault" in read)
    throw new TroupeError("invalid_input", `${source} ${read.fault}${read.mend ? `: ${read.mend}` : ""}`);
  const input = inputOf(read.text, source, flags, config);
  const { burstBudget, fanout, pairGuard, defaultPersona } = config;
  const { traces } = input;
  return {
    source,
    input,
    room: roomOf(flags, input.personas, {
      session: traces.thread === undefined ? FILE_ROOM : `${FILE_ROOM}:${traces.thread}`,
      ...(traces.host === undefined ? {} : { host: traces.host }),
      ...(defaultPersona === undefined ? {} : { defaultPersona }),
      settings: {
        budget: burstBudget.value,
        fanout: Math.max(fanout, traces.fanout ?? 0),
        wake: traces.wake ?? "always",
      },
      guard: pairGuard.settings,
    }),
  };
}

/** A longer text is no conversation that anybody has pasted, and no log that a table could show. */
const MAX_BYTES = 64 * 1024 * 1024;

async function readStream(path: string): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  return readFile(path, "utf8");
}

function inputOf(text: string, source: string, { personas }: SimulateFlags, config: LoadedConfig): ReplayInput {
  const raw = rawEntries(text, source);
  if (raw !== undefined) return withNamed(logInput(raw, FILE_ROOM), personas);
  const lines = transcriptLines(text);
  if (lines.length === 0) {
    const forms = 'lines such as "alpha: @beta hello", or what troupe log ID --json prints';
    throw new TroupeError("invalid_input", `${source} holds no conversation: expected ${forms}`);
  }
  const cast = { known: config.personas, ...(personas === undefined ? {} : { personas: listOf(personas) }) };
  return transcriptInput(lines, cast, FILE_ROOM);
}

/** A log that names its personas may still not have met all of them. */
function withNamed(input: ReplayInput, names: string | undefined): ReplayInput {
  if (names === undefined) return input;
  const known = new Map(input.personas.map((persona) => [persona.name, persona]));
  return { ...input, personas: listOf(names).map((name) => known.get(name) ?? { name, displayName: name }) };
}

function listOf(names: string): readonly string[] {
  return [...new Set(names.split(",").map((name) => name.trim().replace(/^@/, "")))].filter((name) => name !== "");
}

async function fromRoom(session: string, flags: SimulateFlags, io: Io): Promise<Prepared> {
  const { state, raw } = await withRooms(flags, io, async (rooms) => ({
    state: (await rooms.room(session)).value,
    raw: await wholeLog(rooms, session),
  }));
  const { log, traces } = logInput(raw, session);
  const personas = state.roster.filter(({ missing }) => !missing);
  const host = state.host === null ? {} : { host: state.host };
  const { settings, guard } = state;
  return {
    source: session,
    input: { log, traces, personas },
    room: roomOf(flags, personas, { session, ...host, settings, guard }),
  };
}

/** More entries than this are no longer a table. */
const MOST_ENTRIES = 200_000;

async function wholeLog(rooms: RoomsReader, session: string): Promise<readonly RawEntry[]> {
  const entries: RawEntry[] = [];
  for (let after = 0; ; ) {
    const page = await rooms.entries(session, after);
    entries.push(...page.entries.map((value) => ({ place: `${session}: #${value.seq}`, value })));
    if (page.next === null) return entries;
    if (entries.length >= MOST_ENTRIES) {
      const mend = `troupe log ${session} --json --after N prints a part that can be replayed`;
      throw new TroupeError("invalid_input", `${session} has more than ${MOST_ENTRIES} entries: ${mend}`);
    }
    after = page.next;
  }
}

type Base = Omit<SimulatedRoom, "members" | "parse"> & {
  readonly settings: Pick<RoomShown["settings"], "budget" | "fanout" | "wake">;
};

/** The room with what the flags try instead. */
function roomOf(flags: SimulateFlags, personas: readonly Speaker[], base: Base): SimulatedRoom {
  const { budget, fanout, wake, guard, host } = flags;
  const members = personas.map(({ name }) => name);
  if (host !== undefined && !members.includes(host)) {
    throw new TroupeError(
      "not_found",
      `--host ${host} is nobody of the room: ${members.join(", ") || "there is nobody"}`,
    );
  }
  return {
    ...base,
    ...(host === undefined ? {} : { host }),
    members,
    settings: {
      budget: budget ?? base.settings.budget,
      fanout: fanout ?? base.settings.fanout,
      wake: wake ?? base.settings.wake,
    },
    guard: { ...base.guard, ...thresholds(flags), ...(guard === undefined ? {} : { enabled: guard === "on" }) },
    parse: createMentionParser(personas),
  };
}

function thresholds({ alternations, repeats, similarity, maxMessages, windowSecs, heldMax }: SimulateFlags) {
  const all = { alternations, repeats, similarity, maxMessages, windowSecs, heldMax };
  // Only those that were given.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<GuardSettings>;
}
