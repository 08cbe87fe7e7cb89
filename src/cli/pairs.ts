import { EXIT } from "./failure.js";
import type { PlaceFlags } from "./places.js";
import { type RoomShown, type RoomsReader, withRooms } from "./reading.js";
import { type Colours, coloursFor, type Io, shown, shownInline } from "./terminal.js";

export interface PairsFlags extends PlaceFlags {
  readonly json?: true;
}

/** A pair that is not open, with its room. */
type Paused = RoomShown["pairs"][number] & { readonly room: string };

/** `troupe pairs`: the paused pairs of all rooms, with what each holds. Returns the exit code. */
export async function pairs(flags: PairsFlags, io: Io): Promise<number> {
  const paused = await withRooms(flags, io, pausedPairs);
  if (flags.json) io.stdout.write(`${JSON.stringify({ pairs: paused }, undefined, 2)}\n`);
  else io.stdout.write(pausedLines(paused, coloursFor(io)));
  return EXIT.ok;
}

async function pausedPairs(rooms: RoomsReader): Promise<readonly Paused[]> {
  const paused: Paused[] = [];
  for (const { id } of (await rooms.rooms()).value.rooms) {
    const { value } = await rooms.room(id);
    paused.push(...value.pairs.filter(({ state }) => state !== "open").map((pair) => ({ room: id, ...pair })));
  }
  return paused;
}

function pausedLines(paused: readonly Paused[], colours: Colours): string {
  if (paused.length === 0) return "No pair is paused.\n";
  const rows = paused.map((pair) => [shown(pair.room), ...pairWords(pair)] as const);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => {
    const [room = "", names = "", why = ""] = row.map((text, column) => text.padEnd(widths[column] ?? 0));
    return `${colours.bold(room)}  ${names}  ${colours.yellow(why)}  ${row[3]}\n`;
  });
  return `${lines.join("")}${colours.dim("Resume in the room: the button of the notice, or /agent resume A B")}\n`;
}

/** Who, why, and how much is held. */
export function pairWords({ personas: [a, b], state, reason, held }: RoomShown["pairs"][number]) {
  const why = reason === null ? state : `${state}: ${reason.replaceAll("_", " ")}`;
  return [`${shownInline(a)} and ${shownInline(b)}`, why, `${held} held`] as const;
}
