import { type Client, MessageType } from "discord.js";
import type { InboundRevision } from "../../../src/index.js";
import { type Inbound, nothing } from "../../shared/inbound.js";
import { timeOf } from "../ids.js";
import type { Self } from "../self.js";
import type { Finder } from "../whereabouts.js";
import { filesOf } from "./files.js";
import type { KnownMessages } from "./known.js";
import type { Senders } from "./senders.js";
import { textOf } from "./text-in.js";
import type { Names } from "./text-in-tokens.js";
import type { Deletion, DiscordMessage } from "./wire.js";

/** Turns events and history into what the inbox takes. Rejects when Discord does not say what is needed for it. */
export interface InboundReader {
  readonly whereabouts: Finder;
  /** A message as an event or history has it; `guild` is its server's id, which history leaves out. */
  message(message: DiscordMessage, guild: string | undefined): Promise<Inbound>;
  changed(message: DiscordMessage): Promise<Inbound>;
  deleted(deletion: Deletion): Promise<readonly Inbound[]>;
}

interface InboundReaderOptions {
  readonly client: Client;
  readonly self: Self;
  readonly senders: Senders;
  readonly known: KnownMessages;
  readonly find: Finder;
  readonly personaOf: (roleId: string) => string | undefined;
  /** Whether it is a post of ours. */
  readonly isOwn: (message: DiscordMessage) => boolean;
}

/** What people and bots say; every other type tells of something that happened. */
const SAYING: ReadonlySet<number> = new Set([MessageType.Default, MessageType.Reply]);

/** A reference that makes a message an answer; the other kind makes it a forward. */
const ANSWERS = 0;

export function createInboundReader(options: InboundReaderOptions): InboundReader {
  const { client, self, senders, known, find, personaOf, isOwn } = options;

  function namesIn({ mentions }: DiscordMessage, guild: string | undefined): Names {
    const people = new Map(mentions.map((user) => [user.id, user.member?.nick || user.global_name || user.username]));
    const roles = guild === undefined ? undefined : client.guilds.cache.get(guild)?.roles.cache;
    return {
      isOwn: (id) => id === self.userId,
      user: (id) => people.get(id),
      channel(id) {
        const channel = client.channels.cache.get(id);
        return channel && "name" in channel ? (channel.name ?? undefined) : undefined;
      },
      role(id) {
        const role = roles?.get(id);
        if (role?.tags?.botId === self.userId) return { kind: "app", name: role.name };
        const persona = personaOf(id);
        if (persona !== undefined) return { kind: "persona", name: persona };
        return role && { kind: "other", name: role.name };
      },
    };
  }

  /** Why a message is none for us. */
  function objection(message: DiscordMessage): string | undefined {
    if (!SAYING.has(message.type)) return `type ${message.type}`;
    return isOwn(message) ? "our own" : undefined;
  }

  async function said(message: DiscordMessage, guild: string | undefined): Promise<Inbound> {
    const reason = objection(message);
    if (reason !== undefined) return nothing(reason);
    const text = textOf(message, namesIn(message, guild));
    const files = filesOf(message);
    if (text === "" && files.length === 0) return nothing("empty");
    const [{ session, isDirect }, from] = await Promise.all([
      find(message.channel_id, guild),
      senders.of(message, guild),
    ]);
    if (from.kind === "person") known.note(message);
    const replyTo = answeredBy(message);
    return {
      kind: "message",
      message: {
        id: message.id,
        session,
        from,
        text,
        at: timeOf(message.id),
        ...(isDirect ? { direct: true } : {}),
        ...(files.length === 0 ? {} : { files }),
        ...(replyTo === undefined ? {} : { replyTo }),
      },
    };
  }

  return {
    whereabouts: find,
    message: said,
    async changed(message) {
      const reason = objection(message);
      if (reason !== undefined) return nothing(reason);
      if (message.webhook_id !== undefined || message.author.bot) return nothing("a bot's edit");
      if (!known.isEdited(message)) return nothing("no edit");
      const { session } = await find(message.channel_id, message.guild_id);
      const text = textOf(message, namesIn(message, message.guild_id));
      known.note(message);
      return revision({ session, id: message.id, from: message.author.id, text });
    },
    async deleted({ ids, channel_id: channel, guild_id: guild }) {
      const { session } = await find(channel, guild);
      const found: Inbound[] = [];
      for (const id of ids) {
        const from = await known.authorOf(session, id);
        found.push(from === undefined ? nothing("a delete of nobody's message") : revision({ session, id, from }));
      }
      return found;
    },
  };
}

function revision(revised: InboundRevision): Inbound {
  return { kind: "revision", revision: revised };
}

function answeredBy({ type, message_reference: reference }: DiscordMessage): string | undefined {
  if (type !== MessageType.Reply || reference === undefined || reference.type !== ANSWERS) return undefined;
  return reference.message_id;
}
