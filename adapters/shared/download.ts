import { type Clock, type Logger, PlatformError } from "../../src/index.js";

/** Fetches what stands at an address, along no redirect. */
export type Download = (address: URL, request: DownloadRequest, signal: AbortSignal) => Promise<Uint8Array | undefined>;

interface DownloadRequest {
  readonly maxBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether an answer with status 200 is the file; always, by default. */
  readonly isFile?: (response: Response) => boolean;
}

interface DownloadOptions {
  /** The platform's name, as people write it. */
  readonly platform: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const TIMEOUT_MS = 60_000;

/** Resolves with nothing for what is not there for us or larger than `maxBytes`; rejects with `notFetched` when the transfer fails. */
export function createDownload({ platform, clock, logger }: DownloadOptions): Download {
  return async (address, { maxBytes, headers = {}, isFile = () => true }, signal) => {
    const timeout = new AbortController();
    const cancel = clock.after(TIMEOUT_MS, () =>
      timeout.abort(new DOMException("The download timed out", "TimeoutError")),
    );
    try {
      const response = await fetch(address, {
        headers,
        redirect: "manual",
        signal: AbortSignal.any([signal, timeout.signal]),
      });
      if (response.status === 200 && isFile(response)) return await readAtMost(response, maxBytes);
      logger.debug({ status: response.status }, "a file is not there for us");
      await response.body?.cancel();
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      throw notFetched(platform, error);
    } finally {
      cancel();
    }
  };
}

/** A file cannot be fetched now; another time it may. */
export function notFetched(platform: string, cause?: unknown): PlatformError {
  return new PlatformError("platform_failed", `A file could not be fetched from ${platform}`, {
    cause,
    retryable: true,
  });
}

/** An address; `undefined` when the text is none. */
export function parsedUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
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
