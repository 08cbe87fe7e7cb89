import * as z from "zod";
import type { Entry } from "../../domain/entry.js";
import { TroupeError } from "../../domain/errors.js";
import type { IgnoreReason, Outcome } from "../../domain/outcome.js";
import type { Recorded } from "../../domain/simulation/simulation.js";
import type { ReplayInput, Speaker, Traces } from "./replay-input.js";

const part = z.object({
  persona: z.string(),
  result: z.enum(["woke", "suppressed", "held", "refused"]),
  ref: z.string().optional(),
});

const outcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ignored"), reason: z.string() }),
  z.object({ kind: z.literal("superseded") }),
  z.object({ kind: z.literal("parts"), parts: z.array(part) }),
]);

/** Milliseconds of a time in the form of the HTTP interface, or as a number. */
const time = z.union([z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)), z.number()], {
  error: "must be a time such as 2026-01-05T09:00:00.000Z",
});

const kinds = {
  message: z.object({
    to: z.string().optional(),
    answers: z.string().optional(),
    mayResume: z.literal(true).optional(),
    asAgent: z.literal(true).optional(),
  }),
  directive: z.object({
    action: z.enum(["continue", "retry"]),
    wakes: z.array(z.object({ persona: z.string(), entry: z.string() })),
  }),
  ack: z.object({ entry: z.string(), persona: z.string(), attempt: z.number().default(1) }),
  error: z.object({ entry: z.string(), persona: z.string(), code: z.string().default("internal") }),
  tool_call: z.object({ call: z.string(), tool: z.string(), input: z.unknown() }),
  tool_result: z.object({ call: z.string(), tool: z.string(), ok: z.boolean(), work: z.boolean() }),
  agent_pair_paused: z.object({
    pair: z.string(),
    reason: z.enum(["alternation", "repeats", "cap", "manual", "release_failed"]),
    count: z.number(),
    limit: z.number(),
  }),
  agent_pair_resumed: z.object({ pair: z.string() }),
  agent_pair_released: z.object({ pair: z.string(), order: z.number(), entry: z.string(), to: z.string() }),
  agent_pair_dropped: z.object({ pair: z.string(), order: z.number(), entry: z.string() }),
} as const;

const common = z.object({
  seq: z.int().min(1),
  id: z.string(),
  kind: z.string(),
  sender: z.object({
    kind: z.enum(["person", "agent", "bot", "system"]),
    id: z.string(),
    name: z.string(),
  }),
  text: z.string(),
  at: time,
  cause: z.object({
    kind: z.enum(["person", "agent", "schedule", "task", "button"]),
    entry: z.string().optional(),
  }),
  outcome: outcome.nullish(),
});

/** A piece of a file that stands for one entry. `place` names it in an error. */
export interface RawEntry {
  readonly place: string;
  readonly value: unknown;
}

/**
 * The entries of a text of JSON: one object a line, as `troupe log --json` prints them, a list, or a page of the HTTP
 * interface. `undefined` for a text that is no JSON. Throws a `TroupeError` that names the line.
 */
export function rawEntries(text: string, file: string): readonly RawEntry[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const whole = parse(text);
  if (whole !== undefined)
    return listOf(whole).map((value, index) => ({ place: `${file}: entry ${index + 1}`, value }));
  const lines = text.split("\n").map((line, index) => ({ place: `${file}:${index + 1}`, line }));
  return lines
    .filter(({ line }) => line.trim() !== "")
    .map(({ place, line }) => {
      const value = parse(line);
      if (value === undefined) throw invalid(place, "is no JSON object on one line");
      return { place, value };
    });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const page = z.object({ entries: z.array(z.unknown()) }).safeParse(value);
  return page.success ? page.data.entries : [value];
}

/** Entries as the HTTP interface shows them, with who took part and what the room was like. */
export function logInput(raw: readonly RawEntry[], session: string): ReplayInput {
  const log = raw.map((entry) => recordedOf(entry, session));
  return { log, personas: personasOf(log), traces: tracesOf(log) };
}

function recordedOf({ place, value }: RawEntry, session: string): Recorded {
  const { kind, outcome: was, cause, ...base } = checked(common, value, place);
  const entry = { v: 1, session, cause: { kind: cause.kind, ...present({ entry: cause.entry }) }, ...base } as const;
  const own = Object.hasOwn(kinds, kind)
    ? present(checked(kinds[kind as keyof typeof kinds], value, place))
    : undefined;
  // The schemas by kind are the forms of the entries; kinds that no rule of a replay looks at stay unknown.
  const whole = (own === undefined ? { ...entry, kind: "unknown", raw: value } : { ...entry, kind, ...own }) as Entry;
  // The reasons are shown and compared as they are.
  return { entry: whole, ...(was ? { outcome: was as Outcome & { readonly reason: IgnoreReason } } : {}) };
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, place: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const key = issue?.path.join(".");
  throw invalid(place, `is no entry of a log: ${key ? `${key}: ` : ""}${issue?.message ?? "it has another form"}`);
}

function invalid(place: string, what: string): TroupeError {
  return new TroupeError("invalid_input", `${place} ${what}; troupe log ID --json prints the form`);
}

/** Keys that are `undefined` are left out, as entries do. */
function present<T extends object>(value: T): T {
  // What is dropped is `undefined` by its type already.
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}

/** Who spoke as a persona, was woken, or was to be. */
function personasOf(log: readonly Recorded[]): readonly Speaker[] {
  const names = new Map<string, string>();
  for (const { name, displayName } of log.flatMap(namesIn)) names.set(name, displayName ?? names.get(name) ?? name);
  return [...names].map(([name, displayName]) => ({ name, displayName }));
}

function namesIn({
  entry,
  outcome: was,
}: Recorded): readonly { readonly name: string; readonly displayName?: string }[] {
  const { kind, id: name, name: displayName } = entry.sender;
  const parts = was?.kind === "parts" ? was.parts : [];
  const wakes = entry.kind === "directive" ? entry.wakes : [];
  const to = entry.kind === "message" && entry.to !== undefined ? [{ persona: entry.to }] : [];
  const named = [...parts, ...wakes, ...to].map(({ persona }) => ({ name: persona }));
  return kind === "agent" ? [{ name, displayName }, ...named] : named;
}

function tracesOf(log: readonly Recorded[]): Traces {
  const messages = log.filter(({ entry }) => entry.kind === "message" && entry.sender.kind === "person");
  const woken = messages.map(({ outcome: was }) => (was?.kind === "parts" ? was.parts : []));
  const plain = messages.filter(
    ({ entry }) => entry.kind === "message" && entry.to === undefined && !/@/.test(entry.text),
  );
  const host = plain
    .map(({ outcome: was }) => (was?.kind === "parts" ? was.parts[0]?.persona : undefined))
    .find(Boolean);
  const isQuiet = plain.some(({ outcome: was }) => was?.kind === "ignored" && was.reason === "no_mention");
  const fanout = woken.reduce((most, parts) => Math.max(most, parts.length), 0);
  const thread = threadIn(log);
  return {
    ...(host === undefined ? {} : { host }),
    ...(host !== undefined ? { wake: "always" } : isQuiet ? { wake: "mention" } : {}),
    ...(fanout > 1 ? { fanout } : {}),
    ...(thread === undefined ? {} : { thread }),
  };
}

/** A thread shows in the ids of its pairs, and in its first entry: it names the message that it is on. */
function threadIn(log: readonly Recorded[]): string | undefined {
  for (const { entry } of log) {
    const thread = "pair" in entry ? /^[^@~]+@([^@~]+)~/.exec(entry.pair)?.[1] : undefined;
    if (thread !== undefined)
      return thread.replace(/%([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  const first = log[0]?.entry;
  return first?.sender.kind === "person" && first.kind === "message" && first.cause.entry !== undefined
    ? "thread"
    : undefined;
}
