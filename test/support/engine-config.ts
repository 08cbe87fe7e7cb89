import { GUARD_DEFAULTS } from "../../src/domain/guard-settings.js";
import type { EngineConfig } from "../../src/engine/config.js";

/** What a turn may take in tests. */
export const TEST_LIMITS: EngineConfig["limits"] = {
  maxConcurrentTurns: 32,
  turnTimeoutMs: 300_000,
  stallMs: 60_000,
  maxSteps: 12,
  outputTokens: 4_096,
};

/** The defaults, with what a test wants otherwise. */
export function testEngineConfig(more: Partial<EngineConfig> & Pick<EngineConfig, "room">): EngineConfig {
  return {
    burstBudget: { value: 6, source: "default" },
    fanout: 1,
    guard: GUARD_DEFAULTS,
    resume: "members",
    admins: {},
    limits: TEST_LIMITS,
    ...more,
  };
}
