import { cleanInbound } from "../../domain/clean-text.js";
import type { Draft } from "../../domain/entry.js";
import type { Tool, ToolResult } from "../../ports/brain.js";
import type { CommitResult, RecordPut } from "../../ports/store.js";
import { cleanValue } from "../brain-words.js";
import { workPut } from "../guard/work.js";
import { turnId } from "../records.js";
import { idle } from "./idle.js";
import { listRoom } from "./list-room.js";
import type { CallScope, RoomTool, ToolOutcome, ToolScope } from "./room-tool.js";
import { scheduleAdd, scheduleList, scheduleModify, scheduleOnce, scheduleRemove } from "./schedules.js";
import { sendMessage } from "./send-message.js";

/** Every room tool, in the fixed order that keeps prompts byte-stable. */
export const ROOM_TOOLS: readonly RoomTool[] = [
  idle,
  listRoom,
  scheduleAdd,
  scheduleList,
  scheduleModify,
  scheduleOnce,
  scheduleRemove,
  sendMessage,
];

/** What a log keeps of a tool's result (behaviour 1.1.3). */
const RESULT_IN_LOG = 500;
/** A pair that releases what it held changes with every message of it, and who sends to it meanwhile waits for its end. */
const MAX_CONFLICTS = 1_100;

/**
 * The room tools of one turn. Calls run one after the other in the order they were made; each is parsed, checked against
 * the persona's rights, done and recorded in one commit. `onLost` is called when the turn no longer owns the session.
 */
export function toolsFor(scope: ToolScope, signal: AbortSignal, onLost: () => void): readonly Tool[] {
  let last: Promise<unknown> = Promise.resolve();
  let calls = 0;
  let sent = 0;

  async function call(tool: RoomTool, input: unknown): Promise<ToolResult> {
    if (signal.aborted) return STOPPED;
    const run = { tool, input: cleanValue(input), number: ++calls, scope: { ...scope, messageNumber: sent + 1 } };
    const done = await runTool(run);
    if (done.sent) sent++;
    if (done.lost) onLost();
    return done.result;
  }

  return ROOM_TOOLS.filter((tool) => isAllowed(tool.name, scope.persona.tools)).map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    class: tool.class,
    run(_callId, input) {
      const next = last.then(() => call(tool, input));
      last = next.catch(() => undefined);
      return next;
    },
  }));
}

const STOPPED: ToolResult = { ok: false, text: "the turn has been stopped" };

/** A persona's `tools`: exact names, or a beginning followed by `*`. Absent: all. */
export function isAllowed(tool: string, allowed: readonly string[] | undefined): boolean {
  if (allowed === undefined) return true;
  return allowed.some((name) => (name.endsWith("*") ? tool.startsWith(name.slice(0, -1)) : name === tool));
}

interface ToolRun {
  readonly tool: RoomTool;
  readonly input: unknown;
  /** The call's number in its turn, from 1; brains' own call ids need not be unique. */
  readonly number: number;
  readonly scope: CallScope;
}

interface ToolDone {
  readonly result: ToolResult;
  readonly sent?: boolean;
  readonly lost?: boolean;
}

async function runTool(run: ToolRun): Promise<ToolDone> {
  const parsed = run.tool.input.safeParse(run.input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`);
    const result = { ok: false, text: `invalid input: ${problems.join("; ")}` };
    const { status } = await record(run, result);
    return { result, lost: status === "fenced" || status === "moved" };
  }
  for (let i = 0; i < MAX_CONFLICTS; i++) {
    const outcome = await run.tool.run(run.scope, parsed.data);
    const recorded = await record(run, outcome);
    const { status } = recorded;
    const sent = outcome.append !== undefined;
    if (status === "ok" && outcome.paused) run.scope.onPaused(run.scope.room.id, outcome.paused);
    if (status === "ok" || status === "duplicate") return { result: resultOf(outcome, recorded), sent };
    if (status !== "conflict") return { result: STOPPED, lost: true };
  }
  return { result: { ok: false, text: "the room kept changing; try again" } };
}

/** What the brain is told. What had been done before the turn was repeated is answered as it was decided then. */
function resultOf(outcome: ToolOutcome, recorded: CommitResult): ToolResult {
  const before = recorded.status === "duplicate" ? outcome.repeated?.(recorded.existing) : undefined;
  const { ok, text } = before ?? outcome;
  return { ok, text };
}

/** The call, what it did and its result, in one commit that the owner of the session makes. */
async function record(run: ToolRun, outcome: ToolOutcome): Promise<CommitResult> {
  const { context, begun, cursor, room } = run.scope;
  const { session, fence } = begun;
  const { call, result } = callEntries(run, outcome);
  return context.commit({
    room: room.id,
    turn: { session, fence, from: cursor, to: cursor },
    append: [{ session, entry: call }, ...(outcome.append ?? []), { session, entry: result }],
    put: [...(outcome.put ?? []), ...(isWork(run.tool, outcome) ? [await workDone(run, outcome)] : [])],
    ...(outcome.expect ? { expect: outcome.expect } : {}),
    ...(outcome.delete ? { delete: outcome.delete } : {}),
  });
}

/** Completed work, as against messages and failures, counts as progress (behaviour 0.14). */
function isWork(tool: RoomTool, outcome: ToolOutcome): boolean {
  return outcome.ok && (tool.class === "work" || tool.class === "task");
}

function workDone({ tool, input, scope }: ToolRun, { text }: ToolOutcome): Promise<RecordPut> {
  const { context, begun, persona } = scope;
  return workPut(context.store, begun.session, persona.name, { name: tool.name, input, result: text });
}

function callEntries({ tool, input, number, scope }: ToolRun, outcome: ToolOutcome): { call: Draft; result: Draft } {
  const { context, begun, place, persona, cause } = scope;
  const id = `${turnId(place)}?${begun.fence}/${number}`;
  const sender = { kind: "agent", id: persona.name, name: persona.displayName } as const;
  const base = { sender, at: context.clock.now(), cause, call: String(number), tool: tool.name } as const;
  const text = cleanInbound(outcome.text.slice(0, RESULT_IN_LOG));
  return {
    call: { ...base, kind: "tool_call", id: `${id}/call`, text: "", input },
    result: { ...base, kind: "tool_result", id: `${id}/result`, text, ok: outcome.ok, work: isWork(tool, outcome) },
  };
}
