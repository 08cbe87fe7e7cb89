import * as z from "zod";
import { cleanInbound, MAX_MESSAGE_LENGTH, ProtocolError } from "../../src/index.js";

const MAX_PAGE = 500;
const DEFAULT_PAGE = 100;

/** A query without parameters. */
export const noQuery = z.strictObject({});

/** `after` defaults to the beginning; a `limit` above 500 becomes 500. */
export const entriesQuery = z.strictObject({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(DEFAULT_PAGE)
    .transform((limit) => Math.min(limit, MAX_PAGE)),
});

export const eventsQuery = z.strictObject({ room: z.string().min(1) });

/** The id of the last event that a stream's reader has seen. */
export const lastEventId = z.coerce.number().int().min(0).optional();

/** `id`: the client's own key for the message, so that sending it twice is harmless. */
export const messageBody = z.strictObject({
  text: z.string().refine((text) => cleanInbound(text).trim() !== "", "must not be blank"),
  id: z
    .string()
    .regex(/^[\w.-]{1,100}$/, "must be 1 to 100 letters, digits, _, . or -")
    .optional(),
});

export const actionBody = z.strictObject({
  action: z.string().regex(/^troupe:[a-z]+$/, "must be a button's action, as troupe:continue"),
  value: z.string().max(2_000),
});

/** What takes no input may still be sent an empty object, as some clients do. */
export const noBody = z.enum(["", "{}"], { error: "this path takes no body" });

/** The value as the schema has it; throws a `ProtocolError` that names the first thing wrong, and never its content. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join(".");
  throw new ProtocolError("invalid_input", `${where ? `${where}: ` : ""}${issue?.message ?? "invalid input"}`);
}

/** A query's parameters. One that stands twice is refused: which of the two was meant, nobody knows. */
export function queryOf(request: Request): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URL(request.url).searchParams) {
    if (Object.hasOwn(query, name)) throw new ProtocolError("invalid_input", `${name}: stands twice`);
    query[name] = value;
  }
  return query;
}

/** A JSON body. What the parser says about a broken one is left out, since it quotes the body. */
export async function jsonBody(request: Request): Promise<unknown> {
  try {
    return JSON.parse(await request.text());
  } catch {
    throw new ProtocolError("invalid_input", "the body is no valid JSON");
  }
}

/** Throws the error of a message that is too long. */
export function checkLength(text: string): void {
  if (text.length <= MAX_MESSAGE_LENGTH) return;
  throw new ProtocolError(
    "message_too_long",
    `text: ${text.length} characters are too many; at most ${MAX_MESSAGE_LENGTH} fit in one message`,
  );
}
