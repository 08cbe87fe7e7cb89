import { isRecord, type Json, Refusal, refuseArguments } from "./wire.js";

/** The arguments of a call, whichever way they were sent: forms send every value as text. */
export interface Args {
  readonly all: Json;
  has(name: string): boolean;
  text(name: string): string | undefined;
  /** The text, or `invalid_arguments`. */
  need(name: string): string;
  flag(name: string): boolean;
  count(name: string): number | undefined;
  /** A list; `code` is the refusal of anything else. */
  list(name: string, code: string): readonly unknown[] | undefined;
  object(name: string, code: string): Json | undefined;
}

export function createArgs(all: Json): Args {
  const text = (name: string) => {
    const value = all[name];
    return value === undefined || value === null ? undefined : typeof value === "string" ? value : String(value);
  };
  const held = (name: string, code: string): unknown => {
    const value = all[name];
    if (typeof value !== "string" || value === "") return value === "" ? undefined : value;
    try {
      return JSON.parse(value);
    } catch {
      throw new Refusal(code);
    }
  };
  return {
    all,
    has: (name) => all[name] !== undefined && all[name] !== "",
    text,
    need(name) {
      const value = text(name);
      if (value === undefined || value === "")
        throw refuseArguments("invalid_arguments", `missing required field: ${name}`);
      return value;
    },
    flag: (name) => ["true", "1"].includes(text(name) ?? ""),
    count(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      const number = Number(value);
      if (!Number.isInteger(number) || number < 0)
        throw refuseArguments("invalid_arguments", `must be a number: ${name}`);
      return number;
    },
    list(name, code) {
      const value = held(name, code);
      if (value === undefined || value === null) return undefined;
      if (!Array.isArray(value)) throw new Refusal(code);
      return value;
    },
    object(name, code) {
      const value = held(name, code);
      if (value === undefined || value === null) return undefined;
      if (!isRecord(value)) throw new Refusal(code);
      return value;
    },
  };
}
