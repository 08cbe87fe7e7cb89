import { type Logger as SdkLogger, webApi } from "@slack/bolt";
import { createWebApiFetch } from "./web-api-fetch.js";

/** A call that takes longer has failed. */
const TIMEOUT_MS = 10_000;
const READ_RETRIES = 3;

/** The Web API, through clients of their own for each token and use. */
export interface SlackClients {
  /**
   * For everything that shows: never retries and never waits by itself, so that the outbox decides. Without a persona, or
   * for one without a token of its own, the main app's.
   */
  posts(persona?: string): webApi.WebClient;
  /** For looking things up with the main app's token: retries a few times. */
  readonly reads: webApi.WebClient;
  /** For reading what was said, which is limited the most: a client that waits makes all its calls wait. */
  readonly history: webApi.WebClient;
}

/** What the clients are made of. */
export interface ClientOptions {
  readonly botToken: string;
  /** By persona handle. */
  readonly personaTokens: ReadonlyMap<string, string>;
  /** Base of the Web API; Slack's own by default. */
  readonly apiUrl?: string | undefined;
  readonly logger: SdkLogger;
}

/** Makes one client per token and use. Two clients never share an options object: the SDK writes into it. */
export function createClients({ botToken, personaTokens, apiUrl, logger }: ClientOptions): SlackClients {
  const client = (token: string, options: webApi.WebClientOptions) =>
    new webApi.WebClient(token, { ...base(apiUrl, logger), ...options });
  // The time limit is this one's own.
  const posting = { fetch: createWebApiFetch(TIMEOUT_MS), timeout: 0, rejectRateLimitedCalls: true };
  const poster = (token: string) => client(token, { ...posting, retryConfig: { retries: 0 } });
  const reader = () => client(botToken, { retryConfig: { retries: READ_RETRIES, minTimeout: 250, maxTimeout: 2_000 } });
  const main = poster(botToken);
  const own = new Map([...personaTokens].map(([persona, token]) => [persona, poster(token)]));
  return {
    posts: (persona) => (persona === undefined ? undefined : own.get(persona)) ?? main,
    reads: reader(),
    history: reader(),
  };
}

/** Options for one client: a fresh object at each call. */
export function base(apiUrl: string | undefined, logger: SdkLogger): webApi.WebClientOptions {
  return { timeout: TIMEOUT_MS, logger, ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }) };
}
