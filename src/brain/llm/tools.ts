import { jsonSchema, tool as modelTool, type ToolSet } from "ai";
import { foldName } from "../../domain/names.js";
import type { Tool, ToolResult, Turn } from "../../ports/brain.js";
import { CACHE_MARK } from "./cache.js";
import type { Posted } from "./reply.js";

/** What the tools of a turn have done so far. */
export interface ToolLog {
  /** What the persona has posted itself in this turn. */
  readonly posted: Posted[];
  /** The persona has ended its turn by `idle`. */
  idled: boolean;
}

export interface ToolContext {
  readonly turn: Turn;
  readonly signal: AbortSignal;
  readonly log: ToolLog;
  /** Called when a tool starts; the returned function when it is done. */
  readonly onRun: () => () => void;
}

const STOPPED: ToolResult = { ok: false, text: "The turn was stopped." };
const OVER: ToolResult = { ok: false, text: "The turn is over: idle was called before." };
const FAILED: ToolResult = { ok: false, text: "The tool failed." };

/**
 * The room's tools in the library's form, sorted by name: a prompt cache holds only while the list keeps its bytes. The library runs
 * the calls of one step all at once; here they go one after the other. What a tool may not do now it answers itself: taking it
 * off the list would empty the cache.
 */
export function modelTools(context: ToolContext): ToolSet {
  const sorted = [...context.turn.tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  const nextId = callNumbering(context.turn.id);
  let last: Promise<unknown> = Promise.resolve();
  const entries = sorted.map((tool, index) => {
    const run = (toolCallId: string, input: unknown) => {
      const callId = nextId(toolCallId);
      const result = last.then(() => runTool(context, tool, callId, input));
      last = result;
      return result;
    };
    return [tool.name, toModelTool(tool, run, index === sorted.length - 1)] as const;
  });
  return Object.fromEntries(entries);
}

function toModelTool(tool: Tool, run: (toolCallId: string, input: unknown) => Promise<ToolResult>, isLast: boolean) {
  return modelTool({
    description: tool.description,
    inputSchema: jsonSchema<unknown>(tool.inputSchema),
    execute: (input: unknown, { toolCallId }) => run(toolCallId, input),
    toModelOutput: ({ output }) => ({
      type: output.ok ? ("text" as const) : ("error-text" as const),
      value: output.text,
    }),
    ...(isLast ? { providerOptions: CACHE_MARK } : {}),
  });
}

async function runTool(
  { turn, signal, log, onRun }: ToolContext,
  tool: Tool,
  callId: string,
  input: unknown,
): Promise<ToolResult> {
  if (signal.aborted) return STOPPED;
  if (log.idled) return OVER;
  const done = onRun();
  // One call that breaks its promise must not take the others with it, nor show a model what it threw.
  const result = await Promise.resolve()
    .then(() => tool.run(callId, input))
    .catch(() => FAILED)
    .finally(done);
  if (result.ok && tool.class === "idle") log.idled = true;
  if (result.ok && tool.class === "messaging") log.posted.push(...postedBy(turn, input));
  return result;
}

function postedBy({ others = [] }: Turn, input: unknown): Posted[] {
  if (typeof input !== "object" || input === null || !("text" in input) || typeof input.text !== "string") return [];
  const to = "to" in input && typeof input.to === "string" ? foldName(input.to.trim().replace(/^@/, "")) : "";
  const receiver = others.find(({ name, displayName }) => [name, displayName].map(foldName).includes(to));
  const names = receiver === undefined ? [to] : [receiver.name, receiver.displayName];
  return [{ text: input.text, names: names.filter((name) => name !== "") }];
}

/**
 * Call ids that are unique beyond their turn: some servers number their calls from zero in every answer. Two numberings of
 * one turn that see the same ids in the same order give the same names.
 */
export function callNumbering(turnId: string): (toolCallId: string) => string {
  const seen = new Map<string, number>();
  return (toolCallId) => {
    const times = (seen.get(toolCallId) ?? 0) + 1;
    seen.set(toolCallId, times);
    return times === 1 ? `${turnId}-${toolCallId}` : `${turnId}-${toolCallId}-${times}`;
  };
}
