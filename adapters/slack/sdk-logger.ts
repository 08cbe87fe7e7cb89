import { LogLevel, type Logger as SdkLogger } from "@slack/bolt";
import type { Logger } from "../../src/index.js";

/**
 * What Slack's packages say, as debug lines of ours: they know neither which failures we have dealt with nor which words must
 * not stand in a log. Their own debug lines, which quote messages, are dropped.
 */
export function sdkLogger(logger: Logger): SdkLogger {
  const forward = (...words: readonly unknown[]) =>
    logger.debug({ said: words.map(String).join(" ") }, "Slack's packages");
  return {
    debug() {},
    info() {},
    warn: forward,
    error: forward,
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}
