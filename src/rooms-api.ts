import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { LoadedConfig } from "./config/loaded.js";
import { type ErrorCode, TroupeError } from "./domain/errors.js";
import { readServiceFile, type Service } from "./http/service-file.js";

/** The HTTP interface to the rooms of a data folder, for reading. */
export interface RoomsApi {
  /** Whether a running service answers; else its store does. Known after the first answer. */
  readonly live: boolean;
  /** The answer to `GET path` as parsed JSON. Rejects with a `TroupeError`; with the signal's reason when that aborts. */
  get(path: string, signal?: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

export interface RoomsApiOptions {
  readonly dataDir: string;
  /** Asked for only when no service runs. */
  readonly loadConfig: () => Promise<LoadedConfig>;
}

type Get = RoomsApi["get"];

interface Source {
  readonly live: boolean;
  readonly get: Get;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;

/**
 * Reads through the service that runs on this data folder, with its read-only token; with none running, straight from
 * the store, which is then locked until `close`. Both answer alike. Which one it is, is decided once, at the first question.
 */
export function openRooms(options: RoomsApiOptions): RoomsApi {
  let source: Source | undefined;
  return {
    get live() {
      return source?.live ?? false;
    },
    async get(path, signal) {
      source ??= (await findService(options.dataDir)) ?? (await openStore(options));
      return source.get(path, signal);
    },
    async close() {
      await source?.close();
    },
  };
}

/** The service that `service.json` names, if it is still there: a killed one leaves the file behind. Never rejects. */
export async function runningService(dataDir: string): Promise<Service | undefined> {
  const service = await readServiceFile(dataDir);
  if (service === undefined || !isAlive(service.pid)) return undefined;
  // Another process may have the number or the port by now; ours knows the token.
  const isOurs = await ask(service, "/api/rooms").then(
    (response) => response.ok,
    () => false,
  );
  return isOurs ? service : undefined;
}

const readiness = z.object({ missing: z.array(z.string()) });

/** What keeps a running service from being ready, in words that name the mend; empty when it is. Never rejects. */
export async function readyOf(service: Service): Promise<readonly string[]> {
  try {
    return readiness.parse(await (await ask(service, "/readyz")).json()).missing;
  } catch {
    return ["it does not answer any more"];
  }
}

function ask({ url, token }: Service, path: string, signal?: AbortSignal): Promise<Response> {
  return fetch(url + path, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]),
  });
}

async function findService(dataDir: string): Promise<Source | undefined> {
  const service = await runningService(dataDir);
  if (service === undefined) return undefined;
  const get: Get = async (path, signal) =>
    bodyOf(await ask(service, path, signal).catch((error) => fail(error, signal)));
  return { live: true, get, close: async () => {} };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function fail(error: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted) throw signal.reason;
  throw new TroupeError("stopping", "The service does not answer any more.", { cause: error });
}

const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

async function bodyOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  if (response.ok) return body;
  const { error } = errorBody.parse(body);
  // Our own service's codes; a newer one's would only be passed on.
  throw new TroupeError(error.code as ErrorCode, error.message);
}

/** The same interface in this process, over the store. Everything heavy is loaded here. */
async function openStore({ dataDir, loadConfig }: RoomsApiOptions): Promise<Source> {
  const [{ createReading }, config] = await Promise.all([import("./main.js"), loadConfig()]);
  const reading = createReading(config, !existsSync(join(dataDir, "troupe.db")));
  await reading.open();
  return { live: false, get: async (path) => bodyOf(await reading.get(path)), close: reading.close };
}
