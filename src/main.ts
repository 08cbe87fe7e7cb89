import { join } from "node:path";
import { createWebAdapter } from "../adapters/web/index.js";
import { createLlmBrain } from "./brain/llm/llm-brain.js";
import { createScriptBrain } from "./brain/script/script-brain.js";
import { createCalendar } from "./calendar.js";
import { systemClock } from "./clock.js";
import type { LoadedConfig } from "./config/loaded.js";
import { formatProblem } from "./config/problem.js";
import { watchPersonas } from "./config/watch.js";
import { openDiscord } from "./discord.js";
import { childEnvironment } from "./domain/child-environment.js";
import { ProtocolError } from "./domain/errors.js";
import type { NotifyPause } from "./engine/guard/notify.js";
import { RECORDS } from "./engine/records.js";
import { createTroupe, type Troupe } from "./engine/troupe.js";
import { engineConfig, modelEnv, secretsOf, teamOf } from "./from-config.js";
import { createKeys } from "./http/keys.js";
import { roomLink } from "./http/links.js";
import { createMetrics, type Metrics } from "./http/metrics.js";
import { createMounts } from "./http/mounts.js";
import { createHttpServer, type HttpServer } from "./http/server.js";
import { removeServiceFile, writeServiceFile } from "./http/service-file.js";
import { createLogger, type LogOutput } from "./log.js";
import { createNotifyCommand } from "./notify-command.js";
import { packageDir } from "./package.js";
import type { KeyValue } from "./ports/key-value.js";
import type { Logger } from "./ports/logger.js";
import type { Store } from "./ports/store.js";
import { openSlack } from "./slack.js";
import { createLocalWakeQueue } from "./store/local-wake-queue.js";
import { createMemoryKeyValue } from "./store/memory/memory-key-value.js";
import { createMemoryStore } from "./store/memory/memory-store.js";
import { remembered } from "./store/remembered.js";
import { createSqliteStore } from "./store/sqlite/sqlite-store.js";

/** Namespace of the rooms' settings. */
const SETTINGS = "settings";
/** Namespace of what adapters note for themselves. */
const NOTES = "notes";

/** Variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the engine keeps things in, and its platforms. */
export interface Storage {
  readonly store: Store;
  readonly settings: KeyValue;
  /** For platforms: what has to outlive a crash. */
  readonly notes: KeyValue;
}

/** One file in the data folder. */
export function fileStorage(dataDir: string): Storage {
  const store = createSqliteStore({ dataDir, clock: systemClock });
  return { store, settings: remembered(store.keyValue(SETTINGS)), notes: store.keyValue(NOTES) };
}

/** Nothing, and nothing is kept. */
export function memoryStorage(): Storage {
  const values = (namespace: string) => createMemoryKeyValue(namespace, systemClock);
  return { store: createMemoryStore(), settings: values(SETTINGS), notes: values(NOTES) };
}

export interface EngineOptions {
  readonly config: LoadedConfig;
  readonly env: Environment;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Told of every pause that the pair guard makes. */
  readonly notifyPause?: NotifyPause;
}

/** Puts the engine together as the configuration says, without a platform. Opens nothing. */
export function createEngine({ config, env, storage, logger, metrics, notifyPause }: EngineOptions): Troupe {
  const clock = systemClock;
  return createTroupe({
    ...storage,
    queue: createLocalWakeQueue({ clock, logger }),
    brains: [createScriptBrain({ clock }), createLlmBrain({ env: modelEnv(config, env), clock, logger })],
    team: teamOf(config, config.personas),
    config: engineConfig(config),
    clock,
    calendar: createCalendar(),
    logger,
    ...(metrics === undefined ? {} : { meter: metrics }),
    ...(notifyPause === undefined ? {} : { notifyPause }),
  });
}

/** Reads rooms in this process, with the answers of the HTTP interface. */
export interface Reading {
  open(): Promise<void>;
  /** Rejects with a `TroupeError` where a server would answer with an error. */
  get(path: string): Promise<Response>;
  close(): Promise<void>;
}

/** Reads what is in the data folder while no service runs. `isNew`: nothing is there yet, and nothing is made. */
export function createReading(config: LoadedConfig, isNew: boolean): Reading {
  const storage = isNew ? memoryStorage() : fileStorage(config.dataDir);
  const logger = createLogger({ level: "silent", secrets: [], output: { write() {} } });
  const { reader } = createEngine({ config, env: {}, storage, logger });
  const mounts = createMounts();
  createWebAdapter({ mount: mounts, reader, pageDir: "", clock: systemClock, logger });
  const closing = new AbortController();
  return {
    open: () => storage.store.open(),
    async get(path) {
      const request = new Request(new URL(path, "http://127.0.0.1"));
      const mounted = mounts.find(new URL(request.url).pathname);
      if (!mounted) throw new ProtocolError("not_found", "There is nothing at this path.");
      return mounted.handler(request, { access: "read", closing: closing.signal });
    },
    async close() {
      closing.abort();
      await storage.store.close();
    },
  };
}

export interface ServiceOptions {
  readonly config: LoadedConfig;
  readonly env: Environment;
  /** Gets the link to the web room, and nothing else. */
  readonly stdout: LogOutput;
  /** Gets the log. */
  readonly stderr: LogOutput;
}

/** The whole service: engine, HTTP server, web room, personas that follow their files. */
export interface Service {
  readonly logger: Logger;
  /**
   * Opens the store, listens, connects, and prints the link. Rejects with a `TroupeError` that names the mend when it
   * cannot; then nothing is left running.
   */
  start(): Promise<void>;
  /** Takes nothing more, lets running turns finish or parks them, and closes. Within `deadlineMs`; also before or during `start`. */
  stop(deadlineMs?: number): Promise<void>;
}

const STOP_DEADLINE_MS = 10_000;
/** Answers under way are short; streams end at once. */
const HTTP_DEADLINE_MS = 1_000;
/** More rows than this are counted as this many. */
const MAX_PENDING_COUNTED = 10_000;

/** Wires every part of the service. Nothing is opened until `start`. */
export function createService({ config, env, stdout, stderr }: ServiceOptions): Service {
  const keys = createKeys(config.adminToken);
  const secrets = [keys.person, keys.readToken, ...secretsOf(config)];
  const logger = createLogger({ level: config.logLevel, secrets, output: stderr });
  const metrics = createMetrics();
  const storage = fileStorage(config.dataDir);
  const { store } = storage;
  measureCommits(store, metrics);
  const pauses = notifyCommand(config, env);
  const told = pauses === undefined ? {} : { notifyPause: pauses.notify };
  const troupe = createEngine({ config, env, storage, logger, metrics, ...told });
  const server = httpServer({ config, keys, logger, metrics, troupe, store });
  const web = { mount: server, reader: troupe.reader, pageDir: join(packageDir, "dist/adapters/web/page") };
  troupe.addPlatform(createWebAdapter({ ...web, clock: systemClock, logger }));
  const stopping = new AbortController();
  let { personas } = config;
  let opening: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | undefined;

  async function open(): Promise<void> {
    const shared = { config, reader: troupe.reader, clock: systemClock, logger };
    const slack = await openSlack({ ...shared, mount: server, notes: storage.notes });
    const discord = await openDiscord({ ...shared, notes: storage.notes, personas: () => personas });
    for (const platform of [slack, discord]) if (platform) troupe.addPlatform(platform);
    await store.open();
    const { url } = await server.listen();
    await writeServiceFile(config.dataDir, { url, token: keys.readToken, pid: process.pid });
    await troupe.start();
    followPersonas({
      config,
      logger,
      signal: stopping.signal,
      take(now) {
        personas = now;
        return troupe.setTeam(teamOf(config, now));
      },
    });
    for (const problem of config.warnings) logger.warn({}, formatProblem(problem));
    logger.info(
      { url, dataDir: config.dataDir, personas: config.personas.map(({ name }) => name) },
      "the service runs",
    );
    announce(url);
  }

  function announce(url: string): void {
    const printKey = env.TROUPE_PRINT_KEY === "1";
    const tty = stdout.isTTY ?? false;
    const { person: key, adminTokenSet } = keys;
    stdout.write(`Web room: ${roomLink({ url, key, tty, adminTokenSet, printKey })}\n`);
    if (!tty && !adminTokenSet && !printKey) {
      logger.info(
        {},
        "the link is without its key, since it goes to no terminal: set TROUPE_PRINT_KEY=1 or TROUPE_ADMIN_TOKEN",
      );
    }
  }

  async function close(deadlineMs: number): Promise<void> {
    const until = systemClock.monotonic() + deadlineMs;
    stopping.abort(new DOMException("The service stops", "AbortError"));
    await opening.catch(() => undefined);
    await removeServiceFile(config.dataDir, keys.readToken);
    await server.close(Math.min(HTTP_DEADLINE_MS, deadlineMs));
    const left = () => Math.max(0, until - systemClock.monotonic());
    await troupe.stop(left());
    await pauses?.stop(left());
  }

  const service: Service = {
    logger,
    async start() {
      opening = open();
      try {
        await opening;
      } catch (error) {
        await service.stop();
        throw error;
      }
    },
    stop(deadlineMs = STOP_DEADLINE_MS) {
      stopped ??= close(deadlineMs);
      return stopped;
    },
  };
  return service;
}

/** The operator's command for pauses, if the configuration names one. */
function notifyCommand({ pairGuard }: LoadedConfig, env: Environment) {
  if (pairGuard.notify === undefined) return undefined;
  return createNotifyCommand({ program: pairGuard.notify, env: childEnvironment(env), clock: systemClock });
}

/** Tells the metrics how long each commit of this store took, also one that failed. */
function measureCommits(store: Store, metrics: Metrics): void {
  const commit = store.commit.bind(store);
  store.commit = async (change) => {
    const begun = systemClock.monotonic();
    try {
      return await commit(change);
    } finally {
      metrics.storeCommitted(systemClock.monotonic() - begun);
    }
  };
}

interface HttpParts {
  readonly config: LoadedConfig;
  readonly keys: ReturnType<typeof createKeys>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly troupe: Troupe;
  readonly store: Store;
}

function httpServer({ config, keys, logger, metrics, troupe, store }: HttpParts): HttpServer {
  const { host, port, publicUrl } = config.web;
  return createHttpServer({
    host,
    port,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    keys,
    clock: systemClock,
    logger,
    async readiness() {
      const { ready, missing } = troupe.readiness();
      return { ready, missing: missing.map(({ part, problem }) => `${part}: ${problem}`) };
    },
    async metrics() {
      const pending = await store.due(RECORDS.outbox, Number.MAX_SAFE_INTEGER, MAX_PENDING_COUNTED);
      metrics.outboxPending(pending.length);
      return metrics.render();
    },
  });
}

interface Following {
  readonly config: LoadedConfig;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  take(personas: LoadedConfig["personas"]): Promise<void>;
}

/** Personas serve as their files are now; a broken file leaves its persona as it was, and the log says why. */
function followPersonas({ config, logger, signal, take }: Following): void {
  watchPersonas({
    folder: config.personaFolder,
    initial: config.personaSet,
    clock: systemClock,
    signal,
    onChange({ personas, problems }) {
      for (const problem of problems) logger.warn({}, formatProblem(problem));
      const names = personas.map(({ name }) => name);
      take(personas).then(
        () => logger.info({ personas: names }, "the personas changed"),
        (error: unknown) => logger.error({ error }, "the changed personas could not join their rooms"),
      );
    },
  });
}
