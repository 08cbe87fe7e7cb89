import type { LanguageModelUsage, ModelMessage, TextStreamPart, ToolSet } from "ai";
import { MAX_MESSAGE_LENGTH } from "../../engine/config.js";
import type { BrainEnd, BrainEvent, BrainFailure, ToolResult, Turn, Usage } from "../../ports/brain.js";
import type { ModelId } from "../model-id.js";
import { previewOf, type TurnRun } from "../turn-run.js";
import { failure, UNREADABLE } from "./failure.js";
import { historyOf } from "./history.js";
import { cleanReply, repeatsPosted } from "./reply.js";
import { callNumbering, type ToolLog } from "./tools.js";

type Part = TextStreamPart<ToolSet>;

/** What a turn has come to so far, from the parts of its stream. */
export interface TurnRecord {
  /** The events that a part means. */
  take(part: Part): Generator<BrainEvent>;
  /** The messages of all finished steps. */
  finished(messages: readonly ModelMessage[]): void;
  /** Notes what went wrong; the first one counts. */
  fail(error: unknown): void;
  readonly error: unknown;
  /** The running step has written far more than a reply may hold: nothing more is needed of the stream. */
  readonly isFull: boolean;
  /** The ends of tool calls that the turn did not live to see. */
  unfinishedCalls(): Generator<BrainEvent>;
  end(): BrainEnd;
}

export interface TurnRecordOptions {
  readonly turn: Turn;
  readonly run: TurnRun;
  readonly model: ModelId;
  readonly log: ToolLog;
  readonly fence: string;
  readonly classify: (error: unknown) => BrainFailure;
}

interface State {
  readonly options: TurnRecordOptions;
  readonly number: (toolCallId: string) => string;
  /** Our id of each call that has no result yet, by the model's. */
  readonly calls: Map<string, string>;
  messages: readonly ModelMessage[];
  /** Of the step that is running. */
  text: string;
  /** Of the last step that wrote anything. */
  lastText: string;
  steps: number;
  /** The step that is running, or was the last, has called tools. */
  called: boolean;
  finish?: { readonly reason: string; readonly raw: string | undefined };
  error: unknown;
}

/** An empty record. */
export function createTurnRecord(options: TurnRecordOptions): TurnRecord {
  const number = callNumbering(options.turn.id);
  const state: State = {
    options,
    number,
    calls: new Map(),
    messages: [],
    text: "",
    lastText: "",
    steps: 0,
    called: false,
    error: undefined,
  };
  return {
    take: (part) => takePart(state, part),
    finished(messages) {
      state.messages = messages;
    },
    fail(error) {
      state.error ??= error;
    },
    get error() {
      return state.error;
    },
    get isFull() {
      return state.text.length > MAX_COLLECTED;
    },
    *unfinishedCalls() {
      for (const callId of state.calls.values()) {
        yield { type: "tool-end", callId, ok: false, outputPreview: options.run.stopped ?? "not run" };
      }
      state.calls.clear();
    },
    end: () => endOf(state),
  };
}

/** The engine cuts a reply to the length of a message; what it may take off around it before that is left some room. */
const MAX_COLLECTED = 4 * MAX_MESSAGE_LENGTH;

function* takePart(state: State, part: Part): Generator<BrainEvent> {
  switch (part.type) {
    case "start-step":
      state.called = false;
      return;
    case "text-delta":
      state.text += part.text;
      yield { type: "text", delta: part.text, channel: "final" };
      return;
    case "reasoning-delta":
      yield { type: "text", delta: part.text, channel: "thought" };
      return;
    case "tool-call":
      yield startCall(state, part.toolCallId, part.toolName, part.input);
      return;
    case "tool-result":
      yield* endCall(state, part.toolCallId, toolResultOf(part.output));
      return;
    case "tool-error":
      yield* endCall(state, part.toolCallId, { ok: false, text: "No such tool, or not a valid input." });
      return;
    case "finish-step":
      yield finishStep(state, part);
      return;
    case "error":
      state.error ??= part.error ?? new Error("the stream reported an error without a word");
      return;
    default:
  }
}

function startCall(state: State, toolCallId: string, name: string, input: unknown): BrainEvent {
  const callId = state.number(toolCallId);
  state.called = true;
  state.calls.set(toolCallId, callId);
  return { type: "tool-start", callId, name, source: "room", title: name, input };
}

function* endCall(state: State, toolCallId: string, result: ToolResult): Generator<BrainEvent> {
  const callId = state.calls.get(toolCallId);
  if (callId === undefined) return;
  state.calls.delete(toolCallId);
  yield { type: "tool-end", callId, ok: result.ok, outputPreview: previewOf(result) };
}

/** What our own tools gave the library to pass on. */
function toolResultOf(output: unknown): ToolResult {
  const isResult = typeof output === "object" && output !== null && "ok" in output && "text" in output;
  return isResult ? { ok: output.ok === true, text: String(output.text) } : { ok: false, text: "" };
}

function finishStep(state: State, part: Extract<Part, { type: "finish-step" }>): BrainEvent {
  if (state.text.trim() !== "") state.lastText = state.text;
  state.text = "";
  state.steps += 1;
  state.finish = { reason: part.finishReason, raw: part.rawFinishReason };
  return { type: "usage", step: state.steps, usage: usageOf(state.options.turn.persona.model, part.usage) };
}

/** A figure that the provider did not give stays unknown. */
function usageOf(model: string | undefined, usage: LanguageModelUsage): Usage {
  const figures = {
    model,
    inputTokens: usage.inputTokens,
    cacheReadTokens: usage.inputTokenDetails.cacheReadTokens,
    cacheWriteTokens: usage.inputTokenDetails.cacheWriteTokens,
    outputTokens: usage.outputTokens,
    reasoningTokens: usage.outputTokenDetails.reasoningTokens,
  };
  return Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== undefined));
}

function endOf(state: State): BrainEnd {
  const { run, model, log, classify } = state.options;
  if (run.stopped === "cancelled") return { type: "end", reason: "cancelled", text: "" };
  if (run.stopped !== undefined)
    return failedEnd(failure({ class: "timeout", retryable: true, says: TOO_LATE[run.stopped] }, model));
  if (state.error !== undefined) return failedEnd(classify(state.error));
  if (log.idled) return { type: "end", reason: "idle", text: "" };
  return finishedEnd(state);
}

const TOO_LATE = { timeout: "did not finish in time", stall: "stopped sending in the middle of its answer" } as const;

function failedEnd(problem: BrainFailure): BrainEnd {
  return { type: "end", reason: "failed", text: "", failure: problem };
}

/** The model's words for how it ended, in ours. Still calling tools means that its steps were used up. */
const REASONS: Readonly<Record<string, BrainEnd["reason"]>> = {
  stop: "done",
  other: "done",
  "tool-calls": "step-limit",
  length: "token-limit",
  "content-filter": "refused",
};

function finishedEnd(state: State): BrainEnd {
  const { model, log } = state.options;
  // The stream was left in the middle of a step.
  if (state.text.length > MAX_COLLECTED)
    return { type: "end", reason: "token-limit", text: replyOf(state, state.text.slice(0, MAX_COLLECTED + 1)) };
  const { finish } = state;
  const cutOff = finish === undefined || (finish.reason === "other" && finish.raw === undefined);
  if (cutOff) return failedEnd(failure({ class: "network", retryable: true, says: "broke off its answer" }, model));
  // Some servers say "stop" where they mean "go on with the results".
  const reason = state.called && finish.reason === "stop" ? "step-limit" : REASONS[finish.reason];
  if (reason === undefined) return failedEnd(failure(UNREADABLE, model));
  const text = replyOf(state, state.lastText);
  // Who has sent messages by a tool has answered, even where the steps ended before a reply.
  if (text === "" && log.posted.length > 0) return { type: "end", reason: "done", text };
  return { type: "end", reason, text, ...(text === "" ? {} : { history: historyOf(state.messages, text) }) };
}

function replyOf({ options: { turn, log, fence } }: State, text: string): string {
  const reply = cleanReply(text, turn.persona, fence);
  return repeatsPosted(reply, log.posted) ? "" : reply;
}
