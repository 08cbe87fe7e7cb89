import type { GuardSettings } from "./pair.js";

export type { GuardSettings } from "./pair.js";

/** A room's own values of the guard; what is absent comes from the configuration. */
export type GuardOverrides = Partial<GuardSettings>;

/** The guard's defaults (behaviour 2.1.C). */
export const GUARD_DEFAULTS: GuardSettings = {
  enabled: true,
  alternations: 10,
  repeats: 3,
  similarity: 90,
  maxMessages: 20,
  windowSecs: 600,
  heldMax: 50,
};

/** The thresholds' names as people type them: in commands, in the configuration. */
export type GuardKey = "alternations" | "repeats" | "similarity" | "max_messages" | "window_secs" | "held_max";

type Threshold = Exclude<keyof GuardSettings, "enabled">;

/** The thresholds by the names that people type, with their ranges (behaviour 0.15). */
export const GUARD_KEYS: Readonly<
  Record<GuardKey, { readonly key: Threshold; readonly min: number; readonly max: number }>
> = {
  alternations: { key: "alternations", min: 2, max: 1_000 },
  repeats: { key: "repeats", min: 2, max: 1_000 },
  similarity: { key: "similarity", min: 1, max: 100 },
  max_messages: { key: "maxMessages", min: 0, max: 10_000 },
  window_secs: { key: "windowSecs", min: 0, max: 86_400 },
  held_max: { key: "heldMax", min: 1, max: 1_000 },
};

/** Whether a word names a threshold. */
export function isGuardKey(word: string): word is GuardKey {
  return Object.hasOwn(GUARD_KEYS, word);
}

/** Reads stored overrides: what is damaged or out of range is left out, so that the configuration serves. */
export function guardOverrides(stored: unknown): GuardOverrides {
  if (typeof stored !== "object" || stored === null) return {};
  const values: Readonly<Record<string, unknown>> = { ...stored };
  const overrides: { -readonly [K in keyof GuardSettings]?: GuardSettings[K] } = {};
  if (typeof values.enabled === "boolean") overrides.enabled = values.enabled;
  for (const { key, min, max } of Object.values(GUARD_KEYS)) {
    const value = values[key];
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) overrides[key] = value;
  }
  return overrides;
}
