import type { webApi } from "@slack/bolt";
import { type Clock, delay, type Logger } from "../../../src/index.js";
import { tokensRevoked } from "../inbound/wire.js";
import { isDeadToken, problemOf, slackError } from "../tokens.js";
import type { Workspace } from "../workspace.js";

/** Whether the bot token is still worth something. */
export interface TokenWatch {
  /** What is wrong with it, and the mend. */
  problem(): string | undefined;
  /** Slack has said that tokens were revoked, or the app uninstalled. */
  revoked(event: unknown): void;
  /** Slack has refused something with this code. */
  refused(code: string): void;
  stop(): void;
}

interface TokenWatchOptions {
  readonly workspace: Workspace;
  readonly client: webApi.WebClient;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** An app that is installed again has the same token as before: so it is tried now and then. */
const TRY_AGAIN_MS = 60_000;

export function createTokenWatch({ workspace, client, clock, logger }: TokenWatchOptions): TokenWatch {
  const stopping = new AbortController();
  let problem: string | undefined;

  function lose(why: string): void {
    if (problem !== undefined) return;
    problem = `${why} Install the Slack app to the workspace again; if its token is another one then, put it into ${workspace.main.tokenName} and restart.`;
    logger.error({}, problem);
    void tryAgain();
  }

  async function tryAgain(): Promise<void> {
    while (problem !== undefined && !stopping.signal.aborted) {
      try {
        await delay(clock, TRY_AGAIN_MS, stopping.signal);
        await client.auth.test();
        problem = undefined;
        logger.info({}, "the Slack token works again");
      } catch (error) {
        if (!stopping.signal.aborted)
          logger.debug(
            { problem: problemOf(error, workspace.main.tokenName), code: slackError(error) },
            "the Slack token does not work yet",
          );
      }
    }
  }

  return {
    problem: () => problem,
    revoked(event) {
      const bots = tokensRevoked.safeParse(event).data?.tokens?.bot;
      // Of a person's token, or of another bot's.
      if (bots !== undefined && !bots.includes(workspace.main.userId)) return;
      lose("The bot token of the Slack app was revoked.");
    },
    refused(code) {
      if (isDeadToken(code)) lose(`Slack refuses the bot token (${code}).`);
    },
    stop: () => stopping.abort(new DOMException("The adapter stops", "AbortError")),
  };
}
