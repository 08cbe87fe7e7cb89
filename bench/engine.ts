import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScriptBrain } from "../src/brain/script/script-brain.js";
import { systemClock } from "../src/clock.js";
import { GUARD_DEFAULTS, type GuardSettings } from "../src/domain/guard-settings.js";
import type { Persona } from "../src/domain/persona.js";
import { createTroupe, type Troupe } from "../src/engine/troupe.js";
import { createLogger } from "../src/log.js";
import type { Brain } from "../src/ports/brain.js";
import type { Platform } from "../src/ports/platform.js";
import type { Store } from "../src/ports/store.js";
import { createLocalWakeQueue } from "../src/store/local-wake-queue.js";
import { createSqliteStore } from "../src/store/sqlite/sqlite-store.js";

/** A whole engine on the embedded store, in a folder of its own. */
export interface BenchEngine {
  readonly troupe: Troupe;
  readonly store: Store;
  /** A person's message. Resolves when it is accepted. */
  say(session: string, text: string): Promise<void>;
}

interface BenchEngineOptions {
  readonly personas: readonly Persona[];
  readonly budget: number;
  readonly guard: Partial<GuardSettings>;
  /** Without one nothing is posted, as with a platform that shows the logs themselves. */
  readonly platform?: Platform;
  /** Put before the script brain, to watch its turns. */
  readonly watch?: (brain: Brain) => Brain;
}

/** Runs the work on a fresh engine and cleans up. */
export async function withEngine<T>(
  options: BenchEngineOptions,
  work: (engine: BenchEngine) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "troupe-bench-"));
  const engine = createEngine(options, dataDir);
  await engine.troupe.start();
  try {
    return await work(engine);
  } finally {
    await engine.troupe.stop(0);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function createEngine({ personas, budget, guard, platform, watch }: BenchEngineOptions, dataDir: string): BenchEngine {
  const clock = systemClock;
  const logger = createLogger({ level: "silent", secrets: [], output: { write() {} } });
  const store = createSqliteStore({ dataDir, clock });
  const brain = createScriptBrain({ clock });
  const troupe = createTroupe({
    store,
    settings: store.keyValue("settings"),
    queue: createLocalWakeQueue({ clock, logger }),
    brains: [watch?.(brain) ?? brain],
    team: { name: "bench", personas },
    config: {
      burstBudget: { value: budget, source: "configuration" },
      fanout: 1,
      guard: { ...GUARD_DEFAULTS, ...guard },
      resume: "members",
      room: () => ({ personas: "all", wake: "mention", reply: "channel", bots: [] }),
      admins: {},
      limits: { maxConcurrentTurns: 32, turnTimeoutMs: 300_000, stallMs: 60_000, maxSteps: 12, outputTokens: 4_096 },
    },
    clock,
    logger,
  });
  if (platform) troupe.addPlatform(platform);
  let messages = 0;
  return {
    troupe,
    store,
    async say(session, text) {
      const from = { kind: "person", id: "u1", name: "Robin", isAdmin: true } as const;
      await troupe.inbox.message({ id: `p${++messages}`, session, from, text, at: clock.now() });
    },
  };
}

/** A persona that hands on to another one in every turn, with the words that `says` gives. */
export function handingOn(name: string, to: string, says: string): Persona {
  return {
    name,
    displayName: name,
    description: "",
    prompt: "",
    brain: "script",
    script: [{ steps: [{ say: `@${to} ${says}` }] }],
  };
}
