import type { InboundSender, Inbox, Logger, SessionId } from "../../../src/index.js";
import { type Accept, createAccept, type Inbound } from "../../shared/inbound.js";
import { timeOf } from "../ids.js";
import type { InboundReader } from "./inbound.js";
import type { Lanes } from "./queue.js";
import { type DiscordMessage, deletion, discordMessage } from "./wire.js";

/** Hands what the gateway dispatches to the inbox. */
export interface EventTaker {
  created(data: unknown): void;
  changed(data: unknown): void;
  /** One message, or several at once. */
  deleted(data: unknown): void;
  /** The same for something that has been read already. */
  readonly accept: Accept;
}

interface EventTakerOptions {
  readonly inbox: Inbox;
  readonly reader: InboundReader;
  readonly lanes: Lanes;
  readonly logger: Logger;
  /** A message of ours has come back. At once: it is not held up by anything. */
  readonly onEcho: (message: DiscordMessage) => void;
  readonly isOwn: (message: DiscordMessage) => boolean;
  /** Somebody has said something new. */
  readonly onSaid: (session: SessionId, from: InboundSender) => Promise<void>;
  /** A message could not be kept, said at this moment in milliseconds. */
  readonly onLost: (at: number) => void;
}

/** Messages that may come twice. */
const MOST_SEEN = 5_000;

export function createEventTaker(options: EventTakerOptions): EventTaker {
  const { inbox, reader, lanes, logger, onEcho, isOwn, onSaid, onLost } = options;
  const accept = createAccept({ platform: "Discord", inbox, onSaid, logger });
  const seen = new Set<string>();

  /** Whether it has been taken before. The log knows as well; this is for what is still on its way there. */
  function isDouble(id: string): boolean {
    if (seen.has(id)) return true;
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > MOST_SEEN && oldest !== undefined) seen.delete(oldest);
    return false;
  }

  async function hand(inbound: Inbound, about: object): Promise<void> {
    if (inbound.kind === "nothing") logger.debug({ ...about, reason: inbound.reason }, "an event was left out");
    return accept(inbound);
  }

  function lost(id: string, error: unknown): void {
    logger.error({ message: id, error }, "a message from Discord could not be kept; it is read again later");
    seen.delete(id);
    onLost(timeOf(id));
  }

  function read(data: unknown): DiscordMessage | undefined {
    const parsed = discordMessage.safeParse(data);
    if (parsed.success) return parsed.data;
    logger.warn({ problem: parsed.error.issues[0]?.path.join(".") }, "an event from Discord has not the form of one");
    return undefined;
  }

  return {
    accept,
    created(data) {
      const message = read(data);
      if (message === undefined) return;
      if (isOwn(message)) return onEcho(message);
      const { id, channel_id: channel, guild_id: guild } = message;
      if (isDouble(id)) return;
      const work = async () => hand(await reader.message(message, guild), { message: id });
      const onFailed = (error: unknown) => lost(id, error);
      if (!lanes.add(channel, work, onFailed)) onFailed(new Error("too much is waiting"));
    },
    changed(data) {
      const message = read(data);
      if (message === undefined || isOwn(message)) return;
      const { id, channel_id: channel } = message;
      const work = async () => hand(await reader.changed(message), { message: id });
      lanes.add(channel, work, (error) => logger.error({ message: id, error }, "an edit in Discord could not be kept"));
    },
    deleted(data) {
      const parsed = deletion.safeParse(data);
      if (!parsed.success) return logger.warn({}, "a delete from Discord has not the form of one");
      const { channel_id: channel } = parsed.data;
      const work = async () => {
        for (const inbound of await reader.deleted(parsed.data)) await hand(inbound, { channel });
      };
      lanes.add(channel, work, (error) => logger.error({ channel, error }, "a delete in Discord could not be kept"));
    },
  };
}
