import type { OffReason } from "./schedule.js";

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `10m`, `2h`, `1d` in milliseconds; `undefined` for anything else. */
export function durationOf(text: string): number | undefined {
  const match = /^(\d{1,7})\s*([smhd])$/.exec(text.trim().toLowerCase());
  const unit = UNITS[match?.[2] ?? ""];
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit;
}

const OFF_WORDS: Readonly<Record<OffReason, string>> = {
  expired: "its end has come",
  max_fires: "it has fired as often as it should",
  over: "its expression names no more times",
  failures: "it failed too often in a row",
  not_here: "its persona is not in this room",
  bounds: "there are more schedules than the operator allows",
  missed: "its time passed while nobody was there to see it",
  person: "it was switched off",
};

/** Why a schedule is off, for people. */
export function offWords(off: OffReason): string {
  return OFF_WORDS[off];
}
