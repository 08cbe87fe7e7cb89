import { createHash } from "node:crypto";
import type { Reader, SessionId } from "../../../src/index.js";
import { roomOf } from "../../../src/index.js";
import { remember } from "../../shared/bounded-map.js";
import type { DiscordMessage } from "./wire.js";

/** What is remembered of people's messages, since an edit comes without what was before, and a delete without its author. */
export interface KnownMessages {
  note(message: DiscordMessage): void;
  /** Whether its author has changed the words: link previews, pins and threads change a message too. */
  isEdited(message: DiscordMessage): boolean;
  /** Who wrote a message of this session; `undefined`: nobody we have heard. */
  authorOf(session: SessionId, id: string): Promise<string | undefined>;
  readonly size: number;
}

interface Version {
  readonly author: string;
  readonly edited: string | undefined;
  readonly words: string;
}

const MOST_KNOWN = 2_000;
/** Entries that are looked through for one of before the start. */
const LOOK_BACK = 500;

export function createKnownMessages(reader: Pick<Reader, "room" | "entries">): KnownMessages {
  const known = new Map<string, Version>();

  function note({ id, author, edited_timestamp: edited, content }: DiscordMessage): void {
    remember(known, id, { author: author.id, edited, words: digest(content) }, MOST_KNOWN);
  }

  return {
    note,
    isEdited(message) {
      const before = known.get(message.id);
      const { edited_timestamp: edited, content } = message;
      return edited !== undefined && edited !== before?.edited && before?.words !== digest(content);
    },
    async authorOf(session, id) {
      const version = known.get(id);
      if (version !== undefined) return version.author;
      const sessions = (await reader.room(roomOf(session)))?.sessions ?? [];
      const seq = sessions.find((one) => one.id === session)?.seq ?? 0;
      const entries = seq === 0 ? [] : await reader.entries(session, Math.max(0, seq - LOOK_BACK), LOOK_BACK);
      return entries.find(({ entry }) => entry.id === id)?.entry.sender.id;
    },
    get size() {
      return known.size;
    },
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64").slice(0, 16);
}
