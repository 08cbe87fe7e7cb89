import { RequestMethod } from "discord.js";
import { z } from "zod";
import type { Clock, FileRef, Logger } from "../../../src/index.js";
import { createDownload as createTransfer, notFetched, parsedUrl } from "../../shared/download.js";
import type { Caller } from "./rest.js";

export interface FilesDeps {
  readonly call: Caller;
  /** Base of the REST API: files may stand there too. */
  readonly apiUrl: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The hosts of Discord's own files. */
const DISCORD_HOSTS = new Set(["cdn.discordapp.com", "media.discordapp.net"]);

/**
 * Fetches files that came with messages, by their `CHANNEL/MESSAGE/ATTACHMENT`: addresses are good for a day only. No token goes along,
 * and no redirect is followed. Resolves with nothing for a file that is gone, stands elsewhere, or is larger than `maxBytes`; rejects
 * when Discord cannot be reached.
 */
export function createDownload({ call, apiUrl, clock, logger }: FilesDeps) {
  const transfer = createTransfer({ platform: "Discord", clock, logger });
  return async (file: FileRef, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined> => {
    const address = await addressOf(call, file.ref, signal);
    if (address === undefined || !isDiscords(address, apiUrl)) return undefined;
    return transfer(address, { maxBytes }, signal);
  };
}

const attachments = z.array(z.object({ id: z.string(), url: z.string() })).catch([]);

const message = z.object({
  attachments,
  message_snapshots: z.array(z.object({ message: z.object({ attachments }) })).catch([]),
});

/** Where the file is now, as its message says. */
async function addressOf(call: Caller, ref: string, signal: AbortSignal): Promise<URL | undefined> {
  const [, channel, id, attachment] = /^(\d+)\/(\d+)\/(\d+)$/.exec(ref) ?? [];
  if (channel === undefined) return undefined;
  const called = await call({ method: RequestMethod.Get, path: `/channels/${channel}/messages/${id}` }, signal);
  signal.throwIfAborted();
  if (!called.ok) {
    if (called.failure.kind === "refused") return undefined;
    throw notFetched("Discord");
  }
  const { data } = message.safeParse(called.data);
  const all = [
    ...(data?.attachments ?? []),
    ...(data?.message_snapshots ?? []).flatMap((snapshot) => snapshot.message.attachments),
  ];
  return parsedUrl(all.find((one) => one.id === attachment)?.url ?? "");
}

/** One of Discord's hosts, or the one that the REST API is reached at, on whatever port. */
function isDiscords(address: URL, apiUrl: string | undefined): boolean {
  const api = parsedUrl(apiUrl ?? "");
  if (api !== undefined && address.hostname === api.hostname && address.protocol === api.protocol) return true;
  return address.protocol === "https:" && DISCORD_HOSTS.has(address.hostname) && address.port === "";
}
