import type { Logger } from "../../src/index.js";

/** Tells an admin what to mend, in whole sentences; of one key only once. */
export type Hint = (key: string, text: string) => void;

/** Hints go to the log and to whoever shows them to admins. */
export function createHints(logger: Logger, onHint?: (text: string) => void): Hint {
  const given = new Set<string>();
  return (key, text) => {
    if (given.has(key)) return;
    given.add(key);
    logger.warn({ hint: key }, text);
    onHint?.(text);
  };
}
