import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { createWebAdapter } from "../../../../adapters/web/index.js";
import { createScriptBrain } from "../../../../src/brain/script/script-brain.js";
import { systemClock } from "../../../../src/clock.js";
import { GUARD_DEFAULTS } from "../../../../src/domain/guard-settings.js";
import type { Persona } from "../../../../src/domain/persona.js";
import { createTroupe, type Troupe } from "../../../../src/engine/troupe.js";
import { createKeys } from "../../../../src/http/keys.js";
import { createHttpServer, type HttpServer } from "../../../../src/http/server.js";
import type { Logger } from "../../../../src/ports/logger.js";
import { createLocalWakeQueue } from "../../../../src/store/local-wake-queue.js";
import { createMemoryKeyValue } from "../../../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../../../src/store/memory/memory-store.js";

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };

/** The whole service but for its store, which forgets: engine, script brain, HTTP server, web room and its built page. */
export interface Service {
  readonly troupe: Troupe;
  readonly key: string;
  readonly url: string;
  /** The link that a person opens. */
  readonly link: string;
  /** Says something as the person, without a page. */
  say(room: string, text: string): Promise<void>;
  /** Takes the HTTP server away while the engine goes on, and brings it back on the same port. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** Builds the page as the build does. Returns its folder; the caller removes it. */
export async function buildPage(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), "troupe-page-"));
  const configFile = join(import.meta.dirname, "../../../../adapters/web/page/vite.config.ts");
  await build({ configFile, logLevel: "silent", build: { outDir, emptyOutDir: true } });
  return outDir;
}

function createEngine({ personas, guard }: ServiceOptions): Troupe {
  return createTroupe({
    store: createMemoryStore(),
    settings: createMemoryKeyValue("settings", systemClock),
    queue: createLocalWakeQueue({ clock: systemClock }),
    brains: [createScriptBrain({ clock: systemClock })],
    team: { name: "test", personas },
    config: {
      burstBudget: { value: 6, source: "default" },
      fanout: 1,
      guard: { ...GUARD_DEFAULTS, enabled: guard ?? false },
      resume: "members",
      room: () => ({ personas: "all", wake: "always", reply: "channel", bots: [] }),
      admins: {},
      limits: { maxConcurrentTurns: 8, turnTimeoutMs: 30_000, stallMs: 30_000, maxSteps: 12, outputTokens: 1_000 },
    },
    clock: systemClock,
    logger: SILENT,
  });
}

export interface ServiceOptions {
  readonly pageDir: string;
  readonly personas: readonly Persona[];
  /** The pair guard; off, so that a quarrel ends at the budget, unless it is asked for. */
  readonly guard?: boolean;
}

/** Starts it all on a free port of this machine. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const troupe = createEngine(options);
  const keys = createKeys("a-key-for-tests");
  let server: HttpServer;

  async function listen(port: number): Promise<number> {
    server = createHttpServer({
      host: "127.0.0.1",
      port,
      keys,
      clock: systemClock,
      logger: SILENT,
      readiness: async () => ({ ready: true, missing: [] }),
      metrics: async () => "",
    });
    const web = createWebAdapter({
      mount: server,
      reader: troupe.reader,
      pageDir: options.pageDir,
      clock: systemClock,
      logger: SILENT,
    });
    await web.start(troupe.inbox, new AbortController().signal);
    return (await server.listen()).port;
  }

  await troupe.start();
  const port = await listen(0);
  const url = `http://127.0.0.1:${port}`;
  return {
    troupe,
    key: keys.person,
    url,
    link: `${url}/#key=${keys.person}`,
    async say(session, text) {
      const from = { kind: "person", id: "web:local:person", name: "You", isAdmin: true } as const;
      await troupe.inbox.message({ session, from, text, id: crypto.randomUUID(), at: systemClock.now(), direct: true });
    },
    cut: () => server.close(100),
    async restore() {
      await listen(port);
    },
    async stop() {
      await server.close(100);
      await troupe.stop(100);
    },
  };
}

export function removePage(folder: string): void {
  rmSync(folder, { recursive: true });
}
