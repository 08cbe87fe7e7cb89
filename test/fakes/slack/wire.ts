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

/** The string under this name, or nothing. */
export function textOf(value: Json, name: string): string | undefined {
  const found = value[name];
  return typeof found === "string" ? found : undefined;
}

/** The same object without the names whose value is `undefined`, as it is after JSON. */
export function compact(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, held]) => held !== undefined));
}

/** Escapes what Slack escapes in a text. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Reads the three entities back, once. */
export function unescapeText(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** Slack says no: the `error` of an answer with `ok: false`, and what stands beside it. */
export class Refusal extends Error {
  readonly code: string;
  readonly extra: Json;

  constructor(code: string, extra: Json = {}) {
    super(code);
    this.name = "Refusal";
    this.code = code;
    this.extra = extra;
  }
}

/** A refusal with the sentences the API explains it by. */
export function refuseArguments(code: string, ...reasons: readonly string[]): Refusal {
  return new Refusal(code, { response_metadata: { messages: reasons.map((reason) => `[ERROR] ${reason}`) } });
}
