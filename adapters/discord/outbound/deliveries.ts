import type { Reader, SessionId } from "../../../src/index.js";
import { remember } from "../../shared/bounded-map.js";
import { byId as compareIds } from "../ids.js";

/** A message of our own bot or webhooks, as the gateway or the history shows it. */
export interface Echo {
  readonly id: string;
  /** The channel or thread that it stands in. */
  readonly channelId: string;
  readonly webhookId?: string | undefined;
  /** Of the application that the webhook belongs to. */
  readonly applicationId?: string | undefined;
  readonly authorId: string;
  /** As whom it was said. */
  readonly username: string;
  readonly content: string;
  /** The ids of its buttons. */
  readonly customIds?: readonly string[];
}

/** Which message is which post: no message is taken for two posts. */
export interface Deliveries {
  /** This message is that part of a post. */
  claim(messageId: string, key: string): void;
  /** Whether it is part of a post of this run. */
  isClaimed(messageId: string): boolean;
  /** Whether the message may be that part of a post: nobody else's, now or in an earlier run. */
  isFree(session: SessionId, messageId: string, key: string): Promise<boolean>;
  echo(message: Echo): void;
  /** Our messages in this channel or thread that the gateway has shown lately, oldest first. */
  echoesIn(channel: string): readonly Echo[];
  /** Calls back at every echo until the returned function is called. */
  onEcho(listener: () => void): () => void;
}

const MOST_CLAIMS = 10_000;
const MOST_ECHOES = 500;

export function createDeliveries(reader: Pick<Reader, "posted">): Deliveries {
  const claims = new Map<string, string>();
  const echoes = new Map<string, Echo>();
  const listeners = new Set<() => void>();

  return {
    claim(messageId, key) {
      remember(claims, messageId, key, MOST_CLAIMS);
    },
    isClaimed: (messageId) => claims.has(messageId),
    async isFree(session, messageId, key) {
      const owner = claims.get(messageId);
      if (owner !== undefined) return owner === key;
      return !(await reader.posted(session, messageId));
    },
    echo(message) {
      remember(echoes, message.id, message, MOST_ECHOES);
      for (const listener of [...listeners]) listener();
    },
    echoesIn: (channel) => [...echoes.values()].filter(({ channelId }) => channelId === channel).toSorted(byId),
    onEcho(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Oldest first: Discord's ids rise. */
export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return compareIds(a.id, b.id);
}
