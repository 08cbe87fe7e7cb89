import { z } from "zod";
import { type Clock, type FileRef, type Logger, PlatformError } from "../../src/index.js";
import type { Hint } from "../shared/hints.js";
import type { SlackClients } from "./clients.js";
import { failureOf } from "./results.js";

export interface FilesDeps {
  readonly clients: SlackClients;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hint: Hint;
}

const TIMEOUT_MS = 60_000;
const NOT_FETCHED = "A file could not be fetched from Slack";
const MISSING_SCOPE = "Slack does not hand out files: add the bot scope files:read, reinstall the app and restart.";
/** The hosts of Slack's own files. */
const SLACK_HOST = /(?:^|\.)slack(?:-gov)?\.com$/;

/**
 * Fetches files that came with messages. The token goes to Slack's own hosts only, and along no redirect. Resolves with nothing for a
 * file that is gone, stands elsewhere, or is larger than `maxBytes`; rejects when Slack cannot be reached.
 */
export function createDownload({ clients, clock, logger, hint }: FilesDeps) {
  return async (file: FileRef, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined> => {
    const { token, slackApiUrl } = clients.reads;
    const address = await addressOf(clients, file.ref, hint);
    if (address === undefined || !isSlacks(address, slackApiUrl)) return undefined;
    const timeout = new AbortController();
    const cancel = clock.after(TIMEOUT_MS, () =>
      timeout.abort(new DOMException("The download timed out", "TimeoutError")),
    );
    try {
      const response = await fetch(address, {
        headers: { authorization: `Bearer ${token}` },
        redirect: "manual",
        signal: AbortSignal.any([signal, timeout.signal]),
      });
      if (isSignInPage(response, file)) {
        hint("files:read", MISSING_SCOPE);
      } else if (response.status === 200) {
        return await readAtMost(response, maxBytes);
      }
      logger.debug({ status: response.status }, "a file is not there for us");
      await response.body?.cancel();
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      throw new PlatformError("platform_failed", NOT_FETCHED, { cause: error, retryable: true });
    } finally {
      cancel();
    }
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
    if (failure.kind !== "refused")
      throw new PlatformError("platform_failed", NOT_FETCHED, { cause: error, retryable: true });
    if (failure.code === "missing_scope") hint("files:read", MISSING_SCOPE);
    return undefined;
  }
  const found = info.safeParse(answer).data?.file;
  return parsedUrl(found?.url_private_download ?? found?.url_private ?? "");
}

function parsedUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** One of Slack's hosts, or the one that the Web API is reached at. */
function isSlacks(address: URL, apiUrl: string): boolean {
  if (address.origin === parsedUrl(apiUrl)?.origin) return true;
  return address.protocol === "https:" && SLACK_HOST.test(address.hostname) && address.port === "";
}

/** Without the right to read files Slack answers with a page to sign in. */
function isSignInPage(response: Response, file: FileRef): boolean {
  const type = response.headers.get("content-type") ?? "";
  return response.status === 200 && type.startsWith("text/html") && !file.type.startsWith("text/html");
}

async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) return new Uint8Array();
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    // Leaving the loop ends the transfer.
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
