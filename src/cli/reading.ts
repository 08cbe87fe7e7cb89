import * as z from "zod";
import { loadConfig } from "../config/load.js";
import { TroupeError } from "../domain/errors.js";
import { nearestName } from "../domain/names.js";
import { openRooms, type RoomsApi } from "../rooms-api.js";
import { configSources, dataDirOf, type PlaceFlags } from "./places.js";
import type { Io } from "./terminal.js";

const roomsSchema = z.object({
  rooms: z.array(z.object({ id: z.string(), personas: z.array(z.string()), attention: z.boolean(), seq: z.number() })),
});

const viewSchema = z.object({ title: z.string().optional(), text: z.string() });

const roomSchema = z.object({
  id: z.string(),
  roster: z.array(
    z.object({
      name: z.string(),
      displayName: z.string(),
      description: z.string(),
      missing: z.boolean(),
      host: z.boolean(),
      busy: z.boolean(),
    }),
  ),
  host: z.string().nullable(),
  settings: z.object({
    budget: z.number(),
    fanout: z.number(),
    wake: z.enum(["mention", "always"]),
    reply: z.string(),
  }),
  guard: z.object({
    enabled: z.boolean(),
    alternations: z.number(),
    repeats: z.number(),
    similarity: z.number(),
    maxMessages: z.number(),
    windowSecs: z.number(),
    heldMax: z.number(),
  }),
  sessions: z.array(z.object({ id: z.string(), seq: z.number() })),
  attention: z.boolean(),
  burst: z.object({ used: z.number(), budget: z.number(), source: z.string() }),
  notices: z.array(z.object({ state: z.string(), view: viewSchema })),
  pairs: z.array(
    z.object({
      id: z.string(),
      personas: z.tuple([z.string(), z.string()]),
      state: z.string(),
      reason: z.string().nullable(),
      held: z.number(),
    }),
  ),
});

const partSchema = z.object({ persona: z.string(), result: z.string(), ref: z.string().optional() });

const outcomeSchema = z.object({
  kind: z.string(),
  reason: z.string().optional(),
  parts: z.array(partSchema).default([]),
});

// What a kind adds is kept: a newer service may have kinds that we do not know.
const entrySchema = z.looseObject({
  kind: z.string(),
  seq: z.number(),
  sender: z.object({ kind: z.string(), name: z.string() }),
  text: z.string(),
  at: z.string(),
  outcome: outcomeSchema.nullable(),
});

const pageSchema = z.object({
  entries: z.array(z.looseObject({ seq: z.number() })),
  next: z.number().nullable(),
});

/** The rooms as the HTTP interface lists them. */
export type RoomList = z.output<typeof roomsSchema>;
/** One room's state, as far as the command line shows it. */
export type RoomShown = z.output<typeof roomSchema>;
/** One entry of a log, as far as the command line shows it. */
export type EntryShown = z.output<typeof entrySchema>;
/** What became of an entry. */
export type OutcomeShown = z.output<typeof outcomeSchema>;

/** One page of a log, its entries as they came. `next`: the `after` of the following page. */
export type LogPage = z.output<typeof pageSchema>;

/** What is shown of an entry. Throws when it has not the form of one. */
export function entryShown(raw: unknown): EntryShown {
  return entrySchema.parse(raw);
}

/** An answer as it came, and as it is shown. */
export interface Answered<T> {
  readonly raw: unknown;
  readonly value: T;
}

/** Reads rooms for a command, through the service or without it. Rejects with a `TroupeError` that names the mend. */
export interface RoomsReader {
  readonly live: boolean;
  rooms(): Promise<Answered<RoomList>>;
  /** For a room that does not exist, the error names the nearest that does. */
  room(id: string): Promise<Answered<RoomShown>>;
  /** At most 500 entries, oldest first. */
  entries(id: string, after: number, signal?: AbortSignal): Promise<LogPage>;
}

const PAGE = 500;

/** Opens the rooms of the data folder for `work`, and closes them after it. */
export async function withRooms<T>(flags: PlaceFlags, io: Io, work: (rooms: RoomsReader) => Promise<T>): Promise<T> {
  const dataDir = dataDirOf(flags, io);
  const api = openRooms({ dataDir, loadConfig: () => loadConfig(configSources(flags, io)) });
  try {
    return await work(readerOf(api));
  } finally {
    await api.close();
  }
}

function readerOf(api: RoomsApi): RoomsReader {
  const reader: RoomsReader = {
    get live() {
      return api.live;
    },
    async rooms() {
      const raw = await api.get("/api/rooms");
      return { raw, value: roomsSchema.parse(raw) };
    },
    async room(id) {
      const raw = await api.get(`/api/rooms/${encodeURIComponent(id)}`).catch((error) => noRoom(error, id, reader));
      return { raw, value: roomSchema.parse(raw) };
    },
    async entries(id, after, signal) {
      const path = `/api/rooms/${encodeURIComponent(id)}/entries?after=${after}&limit=${PAGE}`;
      return pageSchema.parse(await api.get(path, signal));
    },
  };
  return reader;
}

async function noRoom(error: unknown, id: string, reader: RoomsReader): Promise<never> {
  if (!(error instanceof TroupeError) || error.code !== "not_found") throw error;
  const ids = (await reader.rooms()).value.rooms.map((room) => room.id);
  const nearest = nearestName(id, ids);
  const hint = nearest === undefined ? "troupe rooms lists what there is" : `did you mean ${nearest}?`;
  throw new TroupeError("not_found", `there is no room ${id}: ${hint}`);
}
