import { createSseParser, type SseEvent } from "./sse.js";

/** `waiting` tells when the next attempt is made. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "waiting"; readonly seconds: number };

export interface StreamOptions {
  /** Opens the stream; throws or answers not-ok when it cannot. */
  open(signal: AbortSignal): Promise<Response>;
  onEvent(event: SseEvent): void;
  onConnection(connection: Connection): void;
  /** Whether a refusal is final (a wrong key): then the loop ends. */
  isFinal(error: unknown): boolean;
  /** Aborting ends the loop. `retryNow` fires when waiting longer makes no sense (back online, back in view). */
  readonly signal: AbortSignal;
  retryNow(callback: () => void): () => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** The service sends a comment every 15 seconds; a stream silent for longer than this is dead. */
const SILENCE_MS = 50_000;

/** How long to wait before attempt `attempt` (from 1): doubled each time, a quarter of it random, never above 15 s. */
export function backoffMs(attempt: number, random: number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt - 1, 10));
  return Math.round(full * (0.75 + 0.25 * random));
}

async function readAll(body: ReadableStream<Uint8Array>, options: StreamOptions, stop: () => void): Promise<void> {
  const parse = createSseParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const watchdog = setTimeout(stop, SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(watchdog));
    if (done) return;
    for (const event of parse(decoder.decode(value, { stream: true }))) options.onEvent(event);
  }
}

/** One connection from opening to its end; answers whether it ever was live. */
async function connectOnce(options: StreamOptions): Promise<boolean> {
  const own = new AbortController();
  const signal = AbortSignal.any([options.signal, own.signal]);
  let wasLive = false;
  try {
    const response = await options.open(signal);
    if (!response.ok || response.body === null) return false;
    wasLive = true;
    options.onConnection({ state: "live" });
    await readAll(response.body, options, () => own.abort());
  } catch (error) {
    if (options.isFinal(error)) throw error;
  }
  return wasLive;
}

function pause(ms: number, options: StreamOptions): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      forget();
      options.signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    const forget = options.retryNow(finish);
    options.signal.addEventListener("abort", finish);
  });
}

/** Keeps a stream open until its signal aborts, coming back with growing waits. Rejects only with a final refusal. */
export async function keepStream(options: StreamOptions): Promise<void> {
  let attempt = 0;
  options.onConnection({ state: "connecting" });
  while (!options.signal.aborted) {
    const wasLive = await connectOnce(options);
    if (options.signal.aborted) return;
    attempt = wasLive ? 1 : attempt + 1;
    const wait = backoffMs(attempt, Math.random());
    options.onConnection({ state: "waiting", seconds: Math.ceil(wait / 1000) });
    await pause(wait, options);
  }
}
