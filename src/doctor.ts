import * as z from "zod";
import { type ModelProbe, probeModel } from "./brain/llm/probe.js";
import { parseModelId } from "./brain/model-id.js";
import { systemClock } from "./clock.js";
import { checkProject } from "./config/check.js";
import { type ConfigSources, loadConfig } from "./config/load.js";
import type { LoadedConfig } from "./config/loaded.js";
import { formatProblem, InvalidConfigError, isError } from "./config/problem.js";
import { examineDiscord } from "./discord.js";
import { StoreError } from "./domain/errors.js";
import { modelEnv } from "./from-config.js";
import type { Service } from "./http/service-file.js";
import { openRooms, readyOf, runningService } from "./rooms-api.js";
import { examineSlack } from "./slack.js";
import { inspectStore } from "./store/sqlite/inspect.js";

/** One thing that was looked at. */
export interface Finding {
  readonly check: "configuration" | "service" | "store" | "models" | "slack" | "discord" | "clock";
  readonly ok: boolean;
  readonly says: string;
  /** What to do about it, where `says` does not end with that already. */
  readonly mend?: string;
}

export interface DoctorOptions {
  readonly sources: ConfigSources;
  readonly dataDir: string;
  /** The time now, in milliseconds; default: this machine's. */
  readonly now?: () => number;
}

/** Sends a request, and keeps what the answer says about the time. */
type Ask = (url: string, init: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 10_000;
/** Several questions, one after the other. */
const PLATFORM_TIMEOUT_MS = 30_000;
/** Less room than this is soon used up by the store's own journal. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;
const MIB = 1024 * 1024;
/** Slack refuses signatures that are five minutes off; schedules show a minute. */
const MAX_DRIFT_MS = 60_000;
/** A machine without a battery begins at some year long past. */
const EARLIEST = Date.UTC(2026, 0, 1);

/**
 * Looks at everything that the service needs: connects where that costs nothing, changes nothing, and works with and without a
 * running service. Never rejects for what it examines.
 */
export async function examine({ sources, dataDir, now = systemClock.now }: DoctorOptions): Promise<readonly Finding[]> {
  const service = await runningService(dataDir);
  const { config, findings } = await configuration(sources);
  const store = await lookAtStore(dataDir, service);
  const first = [...findings, ...(await serviceFindings(service)), store.finding];
  const clock = createComparison(now);
  if (config === undefined) return [...first, clock.finding()];
  const rooms = await knownRooms(config, dataDir, store.isReadable);
  const asking = { config, ask: clock.ask, signal: AbortSignal.timeout(PLATFORM_TIMEOUT_MS) };
  const [models, slack, discord] = await Promise.all([
    modelFindings(config, sources, clock.ask),
    examineSlack(asking),
    examineDiscord({ ...asking, rooms }),
  ]);
  return [
    ...first,
    ...models,
    ...slack.map((one) => ({ check: "slack", ...one }) as const),
    ...discord.map((one) => ({ check: "discord", ...one }) as const),
    clock.finding(),
  ];
}

/** Stricter than a start, as `troupe check` is; where a start would do, the rest is looked at all the same. */
async function configuration(sources: ConfigSources) {
  const { problems, config } = await checkProject(sources);
  const errors = problems
    .filter(isError)
    .map((problem): Finding => ({ check: "configuration", ok: false, says: formatProblem(problem) }));
  if (config !== undefined && errors.length === 0) {
    const names = config.personas.map(({ name }) => name).join(", ");
    const says = `${config.file === undefined ? "built-in defaults" : "valid"}, with the personas ${names}`;
    return { config, findings: [{ check: "configuration", ok: true, says } as const] };
  }
  return { config: config ?? (await loadIfUsable(sources)), findings: errors };
}

async function loadIfUsable(sources: ConfigSources): Promise<LoadedConfig | undefined> {
  try {
    return await loadConfig(sources);
  } catch (error) {
    if (error instanceof InvalidConfigError) return undefined;
    throw error;
  }
}

async function serviceFindings(service: Service | undefined): Promise<readonly Finding[]> {
  if (service === undefined) return [{ check: "service", ok: true, says: "not running on this data folder" }];
  const where = `runs at ${service.url} (process ${service.pid})`;
  const missing = await readyOf(service);
  if (missing.length === 0) return [{ check: "service", ok: true, says: `${where}, ready` }];
  return missing.map((part) => ({ check: "service", ok: false, says: `${where}, not ready: ${part}` }));
}

interface StoreLook {
  readonly finding: Finding;
  /** Whether what is in it can be read without changing anything. */
  readonly isReadable: boolean;
}

async function lookAtStore(dataDir: string, service: Service | undefined): Promise<StoreLook> {
  const check = "store";
  if (service !== undefined)
    return { finding: { check, ok: true, says: `in use by the running service, in ${dataDir}` }, isReadable: true };
  try {
    const { isNew, layout, newest, freeBytes } = await inspectStore(dataDir);
    const isReadable = !isNew && layout === newest;
    if (freeBytes < MIN_FREE_BYTES) {
      const says = `only ${Math.floor(freeBytes / MIB)} MiB are free for ${dataDir}`;
      const mend = "free space on its disk, or choose another folder with --data";
      return { finding: { check, ok: false, says, mend }, isReadable };
    }
    const age = layout === newest ? `layout ${layout}` : `layout ${layout}, which the next start brings to ${newest}`;
    const says = isNew ? `${dataDir} can be written, and is empty yet` : `${dataDir} can be opened and written, ${age}`;
    return { finding: { check, ok: true, says }, isReadable };
  } catch (error) {
    if (error instanceof StoreError) return { finding: { check, ok: false, says: error.message }, isReadable: false };
    throw error;
  }
}

const roomList = z.object({ rooms: z.array(z.object({ id: z.string() })) });

/** Rooms that the configuration names or that have been used. What cannot be read is left out: other lines speak of that. */
async function knownRooms(config: LoadedConfig, dataDir: string, isReadable: boolean): Promise<readonly string[]> {
  const named = [...config.rooms.overrides.keys()];
  // Only Discord is asked about single rooms.
  if (!isReadable || config.discord.token === undefined) return named;
  const api = openRooms({ dataDir, loadConfig: async () => ({ ...config, dataDir }) });
  try {
    const { rooms } = roomList.parse(await api.get("/api/rooms"));
    return [...new Set([...named, ...rooms.map(({ id }) => id)])];
  } catch {
    return named;
  } finally {
    await api.close();
  }
}

async function modelFindings(config: LoadedConfig, { env }: ConfigSources, ask: Ask): Promise<readonly Finding[]> {
  const used = new Set(config.personas.flatMap(({ brain, model }) => (brain === "llm" && model ? [model] : [])));
  // A model without its key has been found in the persona's file, where it is mended.
  const known = [...used].flatMap((model) => parseModelId(model) ?? []);
  const reachable = known.filter(({ provider }) => config.models[provider] !== undefined);
  if (used.size === 0) return [{ check: "models", ok: true, says: "no persona uses a model" }];
  const options = { env: modelEnv(config, env), fetch: ask, signal: AbortSignal.timeout(TIMEOUT_MS) };
  return Promise.all(
    reachable.map(async (id): Promise<Finding> => {
      const { says, mend }: ModelProbe = await probeModel(id, options);
      return { check: "models", ok: mend === undefined, says, ...(mend === undefined ? {} : { mend }) };
    }),
  );
}

/** Compares this machine's clock with those of the servers that are asked anyway. */
function createComparison(now: () => number) {
  let worst: { readonly driftMs: number; readonly host: string } | undefined;

  function compare(host: string, date: string | null, at: number): void {
    const theirs = date === null ? Number.NaN : Date.parse(date);
    if (Number.isNaN(theirs)) return;
    const driftMs = at - theirs;
    if (worst === undefined || Math.abs(driftMs) > Math.abs(worst.driftMs)) worst = { driftMs, host };
  }

  const ask: Ask = async (url, init) => {
    const before = now();
    const response = await fetch(url, init);
    compare(new URL(url).host, response.headers.get("date"), (before + now()) / 2);
    await response.body?.cancel();
    return response;
  };

  function finding(): Finding {
    const says = new Date(now()).toISOString();
    const mend = "let the system keep it, by NTP";
    if (now() < EARLIEST) return { check: "clock", ok: false, says: `it says ${says}, which is past`, mend };
    if (worst === undefined) return { check: "clock", ok: true, says: `${says}; nothing to compare it with` };
    const { driftMs, host } = worst;
    if (Math.abs(driftMs) <= MAX_DRIFT_MS) return { check: "clock", ok: true, says: `agrees with ${host}` };
    const off = `${Math.round(Math.abs(driftMs) / 1000)} s ${driftMs > 0 ? "ahead of" : "behind"} ${host}`;
    return { check: "clock", ok: false, says: off, mend };
  }

  return { ask, finding };
}
