import { DefaultRestOptions, type RESTOptions, type ResponseLike } from "discord.js";
import type { Clock, Logger } from "../../../src/index.js";

type MakeRequest = RESTOptions["makeRequest"];

export interface BreakerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Gets the date of every answer as it comes. */
  readonly onDate?: (date: string | null) => void;
  /** Is told each time that the bot's token is refused. */
  readonly onRefused?: () => void;
}

/** Keeps us from knocking at a door that Discord has closed. */
export interface Breaker {
  /** For the options of every REST of this bot. Rejects with a `PausedError` while nothing may be sent. */
  readonly makeRequest: MakeRequest;
  /** For how long nothing may be sent; 0: now. */
  pausedMs(): number;
  /** Discord takes the bot's token no more, as far as is known: after a while one call shows whether that is still so. */
  isTokenRefused(): boolean;
  /** What is wrong and its mend; `undefined`: nothing. */
  problem(): string | undefined;
}

/** Nothing was sent, or what was sent was turned away unread. */
export class PausedError extends Error {
  override readonly name = "PausedError";
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super("Discord is not asked for a while");
    this.retryAfterMs = retryAfterMs;
  }
}

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** Discord bans an address for 10,000 within this time; long before that something is wrong. */
const MOST_INVALID = 500;
const INVALID_WINDOW_MS = 10 * 60_000;
/** Discord's code for a request that its edge has blocked. */
const BLOCKED = 40_333;

const TOKEN_PROBLEM =
  "Discord does not accept the bot's token any more: posts wait. Reset it under Bot in the developer portal, set DISCORD_TOKEN and restart.";

/**
 * Stops everything for a minute, and for twice as long each time it happens again, when Discord's edge turns us away without saying
 * for how long, or when too many requests were not allowed.
 */
export function createBreaker({ clock, logger, onDate, onRefused }: BreakerOptions): Breaker {
  let pausedUntil = 0;
  let strikes = 0;
  let reason = "";
  let refusals = 0;
  let refusedUntil = 0;
  let invalid: number[] = [];

  const pausedMs = () => Math.max(0, pausedUntil - clock.monotonic());

  function pause(why: string): PausedError {
    // Others that were on their way say the same once more.
    if (pausedMs() > 0) return new PausedError(pausedMs());
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** strikes, LONGEST_PAUSE_MS);
    strikes++;
    reason = why;
    pausedUntil = clock.monotonic() + ms;
    logger.warn({ pauseMs: ms }, `Discord is not asked for a while: ${why}`);
    return new PausedError(ms);
  }

  function countInvalid(response: ResponseLike): void {
    const { status, headers } = response;
    if (status !== 401 && status !== 403 && status !== 429) return;
    if (status === 429 && headers.get("x-ratelimit-scope") === "shared") return;
    const now = clock.monotonic();
    invalid = [...invalid.filter((at) => at > now - INVALID_WINDOW_MS), now];
    if (invalid.length <= MOST_INVALID) return;
    invalid = [];
    throw pause(
      `more than ${MOST_INVALID} requests in ten minutes were not allowed; check the bot's permissions and its token`,
    );
  }

  /** A token that is refused once may be good: then the next call that bears it goes through. */
  function noteToken(status: number): void {
    if (status !== 401) {
      if (status < 400) refusals = 0;
      return;
    }
    refusedUntil = clock.monotonic() + Math.min(FIRST_PAUSE_MS * 2 ** refusals, LONGEST_PAUSE_MS);
    refusals++;
    onRefused?.();
  }

  /** The answer, if it is Discord's own. */
  async function judged(response: ResponseLike): Promise<ResponseLike> {
    const { status, headers } = response;
    if (status < 400 || status >= 500) return response;
    const type = headers.get("content-type") ?? "";
    if (status === 429 && (headers.get("retry-after") === null || type.startsWith("text/html")))
      throw await dropped(response, "it answered 429 without saying for how long");
    if (type.startsWith("text/html")) throw await dropped(response, `its edge answered ${status} with a page`);
    if (status !== 400 && status !== 403) return response;
    const text = await response.text();
    if (codeIn(text) === BLOCKED) throw pause(`its edge has blocked the request (${BLOCKED})`);
    return withText(response, text);
  }

  async function dropped(response: ResponseLike, why: string): Promise<PausedError> {
    await response.arrayBuffer().catch(() => undefined);
    return pause(why);
  }

  return {
    async makeRequest(url, init) {
      const ms = pausedMs();
      if (ms > 0) throw new PausedError(ms);
      const response = await DefaultRestOptions.makeRequest(url, init);
      onDate?.(response.headers.get("date"));
      if (isAuthorised(init)) noteToken(response.status);
      const own = await judged(response);
      countInvalid(own);
      if (own.ok && pausedMs() === 0) strikes = 0;
      return own;
    },
    pausedMs,
    isTokenRefused: () => clock.monotonic() < refusedUntil,
    problem() {
      if (refusals > 0) return TOKEN_PROBLEM;
      return pausedMs() > 0 ? `Discord is not asked for a while, so that posts wait: ${reason}.` : undefined;
    },
  };
}

function isAuthorised({ headers }: Parameters<MakeRequest>[1]): boolean {
  return typeof headers === "object" && headers !== null && "Authorization" in headers;
}

function codeIn(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && "code" in parsed ? parsed.code : undefined;
  } catch {
    return undefined;
  }
}

/** The same answer, whose body has been read. */
function withText({ headers, ok, status, statusText }: ResponseLike, text: string): ResponseLike {
  return {
    headers,
    ok,
    status,
    statusText,
    body: null,
    bodyUsed: false,
    // The buffer of a fresh array is its own.
    arrayBuffer: async () => new TextEncoder().encode(text).buffer,
    json: async () => JSON.parse(text),
    text: async () => text,
  };
}
