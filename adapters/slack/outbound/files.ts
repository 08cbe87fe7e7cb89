import { z } from "zod";
import type { Clock, FileRef, Logger } from "../../../src/index.js";
import { createDownload as createTransfer, notFetched, parsedUrl } from "../../shared/download.js";
import type { Hint } from "../../shared/hints.js";
import type { SlackClients } from "../clients.js";
import { failureOf } from "./results.js";

export interface FilesDeps {
  readonly clients: SlackClients;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hint: Hint;
}

const MISSING_SCOPE = "Slack does not hand out files: add the bot scope files:read, reinstall the app and restart.";
/** The hosts of Slack's own files. */
const SLACK_HOST = /(?:^|\.)slack(?:-gov)?\.com$/;

/**
 * Fetches files that came with messages. The token goes to Slack's own hosts only, and along no redirect. Resolves with nothing for a
 * file that is gone, stands elsewhere, or is larger than `maxBytes`; rejects when Slack cannot be reached.
 */
export function createDownload({ clients, clock, logger, hint }: FilesDeps) {
  const transfer = createTransfer({ platform: "Slack", clock, logger });
  return async (file: FileRef, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined> => {
    const { token, slackApiUrl } = clients.reads;
    const address = await addressOf(clients, file.ref, hint);
    if (address === undefined || !isSlacks(address, slackApiUrl)) return undefined;
    const isFile = (response: Response) => {
      if (!isSignInPage(response, file)) return true;
      hint("files:read", MISSING_SCOPE);
      return false;
    };
    return transfer(address, { maxBytes, isFile, headers: { authorization: `Bearer ${token}` } }, signal);
  };
}

const info = z.object({
  file: z.object({ url_private_download: z.string().optional(), url_private: z.string().optional() }),
});

/** Where the file is: its reference is the id, since events may not say more. */
async function addressOf({ reads }: SlackClients, ref: string, hint: Hint): Promise<URL | undefined> {
  let answer: unknown;
  try {
    answer = await reads.files.info({ file: ref });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== "refused") throw notFetched("Slack", error);
    if (failure.code === "missing_scope") hint("files:read", MISSING_SCOPE);
    return undefined;
  }
  const found = info.safeParse(answer).data?.file;
  return parsedUrl(found?.url_private_download ?? found?.url_private ?? "");
}

/** One of Slack's hosts, or the one that the Web API is reached at. */
function isSlacks(address: URL, apiUrl: string): boolean {
  if (address.origin === parsedUrl(apiUrl)?.origin) return true;
  return address.protocol === "https:" && SLACK_HOST.test(address.hostname) && address.port === "";
}

/** Without the right to read files Slack answers with a page to sign in. */
function isSignInPage(response: Response, file: FileRef): boolean {
  const type = response.headers.get("content-type") ?? "";
  return type.startsWith("text/html") && !file.type.startsWith("text/html");
}
