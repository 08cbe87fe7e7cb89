import type { Logger } from "../../src/ports/logger.js";

/** A logger that keeps its lines, so that a test can say what was logged and what never may be. */
export interface LogLines extends Logger {
  readonly lines: readonly { readonly level: string; readonly message: string; readonly fields: object }[];
}

export function createLogLines(): LogLines {
  const lines: { level: string; message: string; fields: object }[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, message, fields });
  };
  const logger: LogLines = {
    lines,
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: () => logger,
  };
  return logger;
}
