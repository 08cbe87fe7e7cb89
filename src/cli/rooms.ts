import { EXIT } from "./failure.js";
import { pairWords } from "./pairs.js";
import type { PlaceFlags } from "./places.js";
import { type RoomList, type RoomShown, withRooms } from "./reading.js";
import { type Colours, coloursFor, type Io, shown, shownInline } from "./terminal.js";

export interface RoomFlags extends PlaceFlags {
  readonly json?: true;
}

/** `troupe rooms`: the rooms, one a line. Returns the exit code. */
export async function rooms(flags: RoomFlags, io: Io): Promise<number> {
  const { raw, value } = await withRooms(flags, io, (reader) => reader.rooms());
  io.stdout.write(flags.json ? json(raw) : roomLines(value, coloursFor(io)));
  return EXIT.ok;
}

/** `troupe room ID`: one room's state. Returns the exit code. */
export async function room(id: string, flags: RoomFlags, io: Io): Promise<number> {
  const { raw, value } = await withRooms(flags, io, (reader) => reader.room(id));
  io.stdout.write(flags.json ? json(raw) : roomText(value, coloursFor(io)));
  return EXIT.ok;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function roomLines({ rooms }: RoomList, colours: Colours): string {
  if (rooms.length === 0) return "No rooms yet: a room is made by its first message.\n";
  const width = Math.max(...rooms.map(({ id }) => id.length));
  const lines = rooms.map(({ id, personas, attention, seq }) => {
    const members = personas.length === 0 ? colours.dim("nobody") : personas.map(shownInline).join(", ");
    const mark = attention ? colours.yellow("  needs attention") : "";
    return `${colours.bold(shown(id).padEnd(width))}  ${members}  ${colours.dim(entryCount(seq))}${mark}\n`;
  });
  return lines.join("");
}

function roomText(state: RoomShown, colours: Colours): string {
  const { burst, settings } = state;
  const lines = [
    colours.bold(shown(state.id)) + (state.attention ? colours.yellow("  needs attention") : ""),
    `  burst     ${burst.used}/${burst.budget} (${burst.source})`,
    `  fan-out   ${settings.fanout}`,
    `  wake      ${settings.wake}`,
    `  reply     ${settings.reply}`,
    colours.dim("members"),
    ...members(state, colours),
    colours.dim("sessions"),
    ...state.sessions.map(({ id, seq }) => `  ${shown(id)}  ${colours.dim(entryCount(seq))}`),
    ...pausedPairs(state, colours),
    ...notices(state, colours),
  ];
  return `${lines.join("\n")}\n`;
}

function members({ roster }: RoomShown, colours: Colours): readonly string[] {
  if (roster.length === 0) return ["  nobody: add somebody in the room with /agent add NAME"];
  const width = Math.max(...roster.map(({ name }) => name.length)) + 1;
  return roster.map(({ name, displayName, description, host, busy, missing }) => {
    const marks = [host && "host", busy && "at work", missing && "missing: its file is gone"].filter((mark) => mark);
    const mark = marks.length === 0 ? "" : colours.yellow(` [${marks.join(", ")}]`);
    const about = description === "" ? "" : colours.dim(`: ${shownInline(description)}`);
    return `  ${`@${shownInline(name)}`.padEnd(width)}  ${shownInline(displayName)}${mark}${about}`;
  });
}

function pausedPairs({ pairs }: RoomShown, colours: Colours): readonly string[] {
  const paused = pairs.filter(({ state }) => state !== "open");
  if (paused.length === 0) return [];
  return [colours.dim("pairs"), ...paused.map((pair) => `  ${pairWords(pair).join("  ")}`)];
}

/** Only what a person can still act on. */
function notices({ notices }: RoomShown, colours: Colours): readonly string[] {
  const open = notices.filter(({ state }) => state === "open");
  if (open.length === 0) return [];
  const lines = open.map(({ view }) => `  ${shownInline([view.title, view.text].filter(Boolean).join(": "))}`);
  return [colours.dim("waiting for a person"), ...lines];
}

function entryCount(seq: number): string {
  return seq === 1 ? "1 entry" : `${seq} entries`;
}
