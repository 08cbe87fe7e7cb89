import { type Client, type Guild, PermissionsBitField } from "discord.js";
import * as z from "zod";
import type { Clock, InboundSender, Logger } from "../../../src/index.js";
import { createKnownAnswers } from "../../shared/known-answers.js";
import { discordCode } from "../tokens.js";
import type { DiscordMessage } from "./wire.js";

/** Who says something. */
export interface Senders {
  /** The author of a message. Never rejects: of whom nothing is known has no rights. */
  of(message: DiscordMessage, guildId: string | undefined): Promise<InboundSender>;
}

interface SendersOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a member's message does not carry in history is asked for. */
const MOST_KNOWN = 1_000;

/** Who may manage the server is its admin. */
const ADMIN = [PermissionsBitField.Flags.ManageGuild, PermissionsBitField.Flags.Administrator];

const memberInfo = z.object({
  nick: z.string().nullish().catch(undefined),
  roles: z.array(z.string()).default([]).catch([]),
});

interface Member {
  readonly nick?: string | null | undefined;
  readonly roles: readonly string[];
}

export function createSenders({ client, clock, logger }: SendersOptions): Senders {
  const members = createKnownAnswers({ ask, onFailed, most: MOST_KNOWN, clock });

  /** Who has left the server is no member any more. */
  async function ask(key: string): Promise<Member | undefined> {
    try {
      return memberInfo.parse(await client.rest.get(`/${key}`));
    } catch (error) {
      if (discordCode(error) === undefined) throw error;
      return undefined;
    }
  }

  function onFailed(key: string, error: unknown): void {
    logger.debug({ member: key, error }, "could not look a member up in Discord");
  }

  return {
    async of({ author, member, webhook_id: webhook }, guildId) {
      const { id, username } = author;
      const name = author.global_name || username || id;
      if (webhook !== undefined) return { kind: "bot", id: webhook, name: username || id, isAdmin: false };
      if (author.bot || author.system) return { kind: "bot", id, name, isAdmin: false };
      const guild = guildId === undefined ? undefined : client.guilds.cache.get(guildId);
      if (guild === undefined) return { kind: "person", id, name, isAdmin: false };
      const known = member ?? (await members.find(`guilds/${guild.id}/members/${id}`));
      return { kind: "person", id, name: known?.nick || name, isAdmin: isAdmin(guild, id, known?.roles ?? []) };
    },
  };
}

function isAdmin(guild: Guild, userId: string, roles: readonly string[]): boolean {
  if (guild.ownerId === userId) return true;
  // The role of everybody has the server's own id.
  return [guild.id, ...roles].some((id) => guild.roles.cache.get(id)?.permissions.any(ADMIN) === true);
}
