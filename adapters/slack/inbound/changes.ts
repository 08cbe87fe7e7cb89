import type { InboundMessage, InboundRevision } from "../../../src/index.js";
import { remember } from "../../shared/bounded-map.js";

/**
 * What became of messages lately. Slack keeps no order: a message that could not be taken at first comes again after its author has
 * changed or deleted it.
 */
export interface Changes {
  /** Notes a change; answers whether it is the newest of its message. `editedAt`: as Slack writes times; absent for a delete. */
  note(revision: InboundRevision, editedAt?: string): boolean;
  /** The message as its author left it, given when these words were written; `undefined`: it was deleted. */
  applied(message: InboundMessage, editedAt: string | undefined): InboundMessage | undefined;
}

interface Change {
  readonly text: string | undefined;
  readonly editedAt: number;
}

/** Changes whose message may still come. */
const MOST_KEPT = 1_000;

export function createChanges(): Changes {
  const changes = new Map<string, Change>();
  const keyOf = ({ session, id }: { readonly session: string; readonly id: string }) => `${session} ${id}`;

  return {
    note({ session, id, text }, editedAt) {
      const key = keyOf({ session, id });
      const change = { text, editedAt: editedAt === undefined ? Number.POSITIVE_INFINITY : Number(editedAt) };
      const known = changes.get(key);
      if (known !== undefined && known.editedAt > change.editedAt) return false;
      remember(changes, key, change, MOST_KEPT);
      return true;
    },
    applied(message, editedAt) {
      const change = changes.get(keyOf(message));
      if (change === undefined || change.editedAt <= Number(editedAt ?? 0)) return message;
      return change.text === undefined ? undefined : { ...message, text: change.text };
    },
  };
}
