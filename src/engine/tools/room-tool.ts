import { z } from "zod";
import type { Cause } from "../../domain/entry.js";
import type { RoomId } from "../../domain/ids.js";
import type { Pair } from "../../domain/pair.js";
import type { Persona } from "../../domain/persona.js";
import type { Room } from "../../domain/room.js";
import type { Tool, ToolClass } from "../../ports/brain.js";
import type { Append, Begun, Change, Cursor, Logged, RecordExpectation, RecordPut } from "../../ports/store.js";
import type { EngineContext } from "../context.js";
import type { TurnPlace } from "../records.js";

/** What a room tool knows of the turn that calls it. */
export interface ToolScope {
  readonly context: EngineContext;
  readonly room: Room;
  readonly begun: Begun;
  /** Where the drain stands; a tool's commit leaves it there. */
  readonly cursor: Cursor;
  readonly persona: Persona;
  /** What the turn is for: ids and order of what it appends derive from it. */
  readonly place: TurnPlace;
  /** The cause that everything said in this turn carries. */
  readonly cause: Cause;
  /** A message of this pair has been held or refused. */
  readonly onPaused: (room: RoomId, pair: Pair) => void;
}

/** One call of a tool in a turn. */
export interface CallScope extends ToolScope {
  /** The number, from 1, that a message sent by this call has in its turn: a repeated turn gives it the same id. */
  readonly messageNumber: number;
}

/** What a tool wants done and said. All of it goes into one commit with the records of the call. */
export interface ToolOutcome {
  readonly ok: boolean;
  readonly text: string;
  readonly append?: readonly Append[];
  readonly put?: readonly RecordPut[];
  readonly expect?: readonly RecordExpectation[];
  readonly delete?: Change["delete"];
  /** The pair whose pause has kept a message back. */
  readonly paused?: Pair;
  /** The answer when `existing` shows that the change was made before: the turn is being repeated after a crash. */
  readonly repeated?: (existing: Logged) => Pick<ToolOutcome, "ok" | "text">;
}

/** A tool of the room, the same for every brain. */
export interface RoomTool {
  readonly name: string;
  readonly description: string;
  readonly class: ToolClass;
  readonly input: z.ZodType;
  /** `input` as JSON Schema: made once, since every turn shows it. */
  readonly inputSchema: Tool["inputSchema"];
  /** Gets input that `input` has parsed. */
  run(scope: CallScope, input: unknown): Promise<ToolOutcome>;
}

interface RoomToolSpec<T> extends Omit<RoomTool, "input" | "inputSchema" | "run"> {
  readonly input: z.ZodType<T>;
  run(scope: CallScope, input: T): Promise<ToolOutcome>;
}

/** Ties a tool's schema to its function, so that `run` is typed by what `input` parses. */
export function defineTool<T>(spec: RoomToolSpec<T>): RoomTool {
  const inputSchema = z.toJSONSchema(spec.input);
  return { ...spec, inputSchema, run: (scope, input) => spec.run(scope, spec.input.parse(input)) };
}
