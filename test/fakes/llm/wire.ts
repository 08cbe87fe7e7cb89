/** One tool call in a scripted answer. A string input goes out as it is, also where it is no JSON. */
export interface FakeCall {
  readonly id?: string;
  readonly name: string;
  readonly input: unknown;
}

/** What the model answers. `usage: null` leaves it out where the protocol allows. */
export interface FakeReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly FakeCall[];
  readonly finish?: "stop" | "length" | "refusal";
  readonly usage?: FakeUsage | null;
}

export interface FakeUsage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
}

export const DEFAULT_USAGE: FakeUsage = { input: 100, output: 10 };

/** What a request of any wire format says. */
export interface FakeRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly system: string;
  /** The text of the last message that the user side sent, tool results left out. */
  readonly lastText: string;
  /** Texts of the tool results in the last message or messages. */
  readonly toolResults: readonly string[];
  readonly toolNames: readonly string[];
}

/** A call with its id and its arguments as text. */
export interface SentCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

/** One of the protocols that the fake speaks. `chunks` are complete server-sent events, in order. */
export interface Wire {
  readonly name: "chat" | "responses" | "messages" | "gemini";
  matches(path: string): boolean;
  read(body: Json, path: string): FakeRequest;
  whole(reply: FakeReply, calls: readonly SentCall[], model: string): unknown;
  chunks(reply: FakeReply, calls: readonly SentCall[], model: string): readonly string[];
  error(status: number, message: string): unknown;
}

export type Json = Readonly<Record<string, unknown>>;

export function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text in a string, in text parts, or in nested content. */
export function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return value
      .map(textIn)
      .filter((text) => text !== "")
      .join("\n");
  const part = record(value);
  return typeof part.text === "string" ? part.text : textIn(part.content ?? part.parts ?? "");
}

/** The messages after the last one of the model: what it has to answer now. */
export function afterLast(messages: readonly unknown[], isModel: (message: Json) => boolean): readonly Json[] {
  const records = messages.map(record);
  return records.slice(records.findLastIndex(isModel) + 1);
}

export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** Texts in two pieces, so that a stream can break in the middle. */
export function pieces(text: string): readonly string[] {
  const half = Math.ceil(text.length / 2);
  return text === "" ? [] : [text.slice(0, half), text.slice(half)].filter((piece) => piece !== "");
}
