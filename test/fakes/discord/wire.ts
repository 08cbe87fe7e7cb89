/** A JSON object as it stands on the wire. */
export type Json = Record<string, unknown>;

/** Whether this is a JSON object, and not a list or a scalar. */
export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; empty for anything that is not a list. */
export function records(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The strings of a list; empty for anything that is not a list. */
export function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((it) => typeof it === "string") : [];
}

/** The string under this name, or nothing. */
export function textOf(value: Json, name: string): string | undefined {
  const found = value[name];
  return typeof found === "string" ? found : undefined;
}

/** The number under this name, or nothing. */
export function numberOf(value: Json, name: string): number | undefined {
  const found = value[name];
  return typeof found === "number" ? found : undefined;
}

/** The same object without the names whose value is `undefined`, as it is after JSON. */
export function compact(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, held]) => held !== undefined));
}

/** Discord says no: the status, and the `code`, `message` and nested `errors` of its JSON. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: Json | undefined;

  constructor(status: number, code: number, message: string, errors?: Json) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** What Discord says with its codes, and with which status. */
const SAYINGS: Readonly<Record<number, readonly [status: number, message: string]>> = {
  10003: [404, "Unknown Channel"],
  10004: [404, "Unknown Guild"],
  10007: [404, "Unknown Member"],
  10008: [404, "Unknown Message"],
  10011: [404, "Unknown Role"],
  10013: [404, "Unknown User"],
  10015: [404, "Unknown Webhook"],
  10062: [404, "Unknown interaction"],
  20012: [403, "You are not authorized to perform this action on this application"],
  20016: [429, "This action cannot be performed due to slowmode rate limit."],
  20028: [429, "The write action you are performing on the channel has hit the write rate limit."],
  30007: [400, "Maximum number of webhooks reached (15)"],
  40005: [413, "Request entity too large"],
  40060: [400, "Interaction has already been acknowledged."],
  40333: [403, "internal network error"],
  50001: [403, "Missing Access"],
  50005: [403, "Cannot edit a message authored by another user"],
  50006: [400, "Cannot send an empty message"],
  50008: [400, "Cannot send messages in a non-text channel"],
  50013: [403, "Missing Permissions"],
  50024: [403, "Cannot execute action on this channel type"],
  50027: [401, "Invalid Webhook Token"],
  50083: [400, "Thread is archived"],
  130000: [503, "API resource is currently overloaded. Try again a little later"],
  160002: [403, "You cannot reply without permission to read message history"],
  160004: [400, "A thread has already been created for this message"],
  160005: [403, "Thread is locked"],
  220001: [400, "Webhooks posted to forum channels must have a thread_name or thread_id"],
  220002: [400, "Webhooks posted to forum channels cannot have both a thread_name and thread_id"],
  220003: [400, "Webhooks can only create threads in forum channels"],
};

/** The refusal with this code, in Discord's words. */
export function refusal(code: number): Refusal {
  const [status, message] = SAYINGS[code] ?? [400, "Bad Request"];
  return new Refusal(status, code, message);
}
