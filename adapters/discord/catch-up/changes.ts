import type { Client } from "discord.js";
import type { Clock, Inbox, Reader } from "../../../src/index.js";
import { goneFrom } from "../../shared/catch-up/gone.js";
import { discordIds } from "../ids.js";
import type { InboundReader } from "../inbound/inbound.js";
import { readPage } from "./page.js";
import type { UnreadPlace } from "./places.js";

interface ChangeOptions {
  readonly client: Client;
  readonly inbound: InboundReader;
  readonly inbox: Pick<Inbox, "revise">;
  readonly reader: Pick<Reader, "room" | "entries">;
  /** What was changed longer ago wakes nobody any more. */
  readonly windowMs: number;
  readonly clock: Clock;
}

/** Hands over what was edited or deleted meanwhile of what stood right before the mark. */
export async function takeChanges(options: ChangeOptions, place: UnreadPlace, signal: AbortSignal): Promise<void> {
  const { client, inbox, inbound } = options;
  const before = String(BigInt(place.since) + 1n);
  const page = await readPage(client, place, { before }, signal);
  const { session } = await inbound.whereabouts(place.channel, place.guild);
  const stretch = { session, after: page.isLast ? "0" : (page.oldest ?? place.since), until: place.since };
  const there = new Set(page.messages.map(({ id }) => id));
  for (const revision of await goneFrom({ ...options, ids: discordIds }, stretch, there)) await inbox.revise(revision);
  for (const message of page.messages) {
    if (message.edited_timestamp === undefined) continue;
    const edit = await inbound.changed(message);
    if (edit.kind !== "revision") continue;
    const isLate = options.clock.now() - Date.parse(message.edited_timestamp) > options.windowMs;
    await inbox.revise({ ...edit.revision, ...(isLate ? { isLate } : {}) });
  }
}
