import { setTimeout as sleep } from "node:timers/promises";
import { TroupeError } from "../domain/errors.js";
import { EXIT } from "./failure.js";
import { entryLines } from "./log-lines.js";
import type { PlaceFlags } from "./places.js";
import { entryShown, type LogPage, type RoomsReader, withRooms } from "./reading.js";
import { coloursFor, type Io } from "./terminal.js";

export interface LogFlags extends PlaceFlags {
  readonly json?: true;
  readonly follow?: true;
  readonly after: number;
}

/** How often a followed log is looked at. */
const POLL_MS = 300;

/** `troupe log ID`: a session's log, and with `--follow` what is added to it, until a signal ends it. Returns the exit code. */
export function log(id: string, flags: LogFlags, io: Io): Promise<number> {
  return withRooms(flags, io, async (rooms) => {
    await rooms.room(id);
    if (flags.follow && !rooms.live) {
      throw new TroupeError(
        "store_unavailable",
        "--follow needs a running service, and none runs on this data folder: start it with troupe start",
      );
    }
    const write = writer(flags, io);
    const last = await printFrom(rooms, id, { after: flags.after, write });
    if (flags.follow) await follow(rooms, id, { after: last, write });
    return EXIT.ok;
  });
}

type Write = (entry: LogPage["entries"][number]) => void;

interface Printing {
  readonly after: number;
  readonly write: Write;
  readonly signal?: AbortSignal;
}

function writer({ json }: LogFlags, io: Io): Write {
  if (json) return (entry) => void io.stdout.write(`${JSON.stringify(entry)}\n`);
  const colours = coloursFor(io);
  let day = "";
  return (entry) => {
    const { text, day: newDay } = entryLines(entryShown(entry), day, colours);
    day = newDay;
    io.stdout.write(text);
  };
}

/** Prints what there is after `after`; returns the last number printed. */
async function printFrom(rooms: RoomsReader, id: string, { after, write, signal }: Printing): Promise<number> {
  let last = after;
  for (;;) {
    const { entries, next } = await rooms.entries(id, last, signal);
    for (const entry of entries) write(entry);
    last = entries.at(-1)?.seq ?? last;
    if (next === null) return last;
  }
}

async function follow(rooms: RoomsReader, id: string, { after, write }: Printing): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, onSignal);
  let last = after;
  try {
    for (;;) {
      await sleep(POLL_MS, undefined, { signal: stop.signal });
      last = await printFrom(rooms, id, { after: last, write, signal: stop.signal });
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}
