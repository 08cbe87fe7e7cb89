import { pino } from "pino";
import type { LogLevel } from "./config/loaded.js";
import { escapeHidden } from "./config/problem.js";
import type { Logger } from "./ports/logger.js";

/** Where log lines go. */
export interface LogOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Texts that no line may hold, wherever they come from. Those of fewer than 8 characters are passed over. */
  readonly secrets: readonly string[];
  readonly output: LogOutput;
}

/** A shorter text also stands in what is no secret: blotting it out would spoil the log and show what it is. */
const SHORTEST_SECRET = 8;

/** Causes of causes are followed so far. */
const DEEPEST_CAUSE = 3;

/**
 * A logger that writes one JSON object a line, or a line for people where the output is a terminal. Errors are logged
 * with code and message, with their stack only at debug. A secret that slips into a field is blotted out.
 */
export function createLogger({ level, secrets, output }: LogOptions): Logger {
  const withStack = level === "debug";
  const error = (value: unknown) => errorFields(value, withStack);
  const blot = blotter(secrets);
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error, err: error },
    },
    { write: (line: string) => void output.write(blot(output.isTTY ? readable(line) : line)) },
  );
}

function errorFields(error: unknown, withStack: boolean, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, cause } = error;
  return {
    name,
    ...("code" in error ? { code: error.code } : {}),
    message,
    ...(withStack ? { stack: error.stack } : {}),
    ...(cause !== undefined && depth < DEEPEST_CAUSE ? { cause: errorFields(cause, withStack, depth + 1) } : {}),
  };
}

/** Replaces every secret, in the form that it has inside JSON. */
function blotter(secrets: readonly string[]): (line: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  return (line) => forms.reduce((text, form) => text.replaceAll(form, "[secret]"), line);
}

/** `09:15:02 warn  an adapter could not start (platform="chat", …)` */
function readable(line: string): string {
  // The line is what pino made of an object just now.
  const { time, level, msg, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const detail = shown.length === 0 ? "" : ` (${shown.join(", ")})`;
  return `${escapeHidden(`${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${String(msg)}${detail}`)}\n`;
}
