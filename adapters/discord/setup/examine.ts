import { DiscordAPIError, REST, Routes } from "discord.js";
import * as z from "zod";
import { TroupeError } from "../../../src/index.js";
import { placeOf } from "../place.js";
import type { Self } from "../self.js";
import { discordCode, problemOf } from "../tokens.js";
import { channelPermissions, channelSchema, type GuildWire, guildSchema, memberSchema } from "./examine-permissions.js";
import { type GuildFacts, guildProblems, type RoomFacts, type Wanted } from "./examine-rights.js";
import { inviteLink } from "./invite.js";
import { askPreflight } from "./preflight.js";

/** What examining Discord has shown. Where something is wrong, `says` names the mend. */
export interface DiscordFinding {
  readonly ok: boolean;
  readonly says: string;
}

export interface DiscordExamination {
  readonly token: string;
  readonly apiUrl: string;
  /** Rooms that are known already, by id; those of other platforms are passed over. */
  readonly rooms: readonly string[];
  /** Names of the roles that personas are to have. */
  readonly roles: readonly string[];
}

const TIMEOUT_MS = 10_000;
/** More than these are not looked at: each costs requests. */
const MOST_GUILDS = 25;
const MOST_ROOMS = 50;

/**
 * Asks Discord about the token, the intents, and the rights in every server and known room. Changes nothing and opens no connection.
 * Never rejects.
 */
export async function examineDiscord(options: DiscordExamination): Promise<readonly DiscordFinding[]> {
  const rest = new REST({ api: options.apiUrl, timeout: TIMEOUT_MS, retries: 1 }).setToken(options.token);
  try {
    const { self, fatal, problems } = await askPreflight(rest);
    const known = { ok: true, says: `DISCORD_TOKEN is good for ${self.name} (${self.applicationId})` };
    const intents = fatal.length === 0 ? [{ ok: true, says: "the bot may read messages" }] : fatal.map(bad);
    return [known, ...intents, ...problems.map(bad), ...(await servers(rest, self, options))];
  } catch (error) {
    return [bad(error instanceof TroupeError ? error.message : problemOf(error))];
  } finally {
    rest.clearHandlerSweeper();
    rest.clearHashSweeper();
  }
}

function bad(says: string): DiscordFinding {
  return { ok: false, says };
}

const guildList = z.array(z.object({ id: z.string(), name: z.string() }));

async function servers(
  rest: REST,
  self: Self,
  { rooms, roles }: DiscordExamination,
): Promise<readonly DiscordFinding[]> {
  const guilds = guildList.parse(await rest.get(Routes.userGuilds()));
  if (guilds.length === 0)
    return [
      bad(`the bot is in no server yet: open ${inviteLink(self.applicationId, roles.length > 0)} and choose one`),
    ];
  const places = rooms.filter((id) => id.startsWith("discord:")).map(placeOf);
  const findings: DiscordFinding[] = [];
  for (const { id, name } of guilds.slice(0, MOST_GUILDS)) {
    const channels = places.filter((place) => place.guild === id).map(({ channel }) => channel);
    findings.push(...(await server(rest, { id, name, channels: channels.slice(0, MOST_ROOMS) }, { self, roles })));
  }
  const more = guilds.length - MOST_GUILDS;
  return more > 0 ? [...findings, { ok: true, says: `${more} more servers were not looked at` }] : findings;
}

interface Server {
  readonly id: string;
  readonly name: string;
  /** Those that are rooms. */
  readonly channels: readonly string[];
}

async function server(rest: REST, { id, name, channels }: Server, wanted: Wanted): Promise<readonly DiscordFinding[]> {
  try {
    const guild = guildSchema.parse(await rest.get(Routes.guild(id)));
    const member = memberSchema.parse(await rest.get(Routes.guildMember(id, wanted.self.userId)));
    const wire: GuildWire = { ...guild, member: { ...member, id: wanted.self.userId } };
    const rooms: RoomFacts[] = [];
    for (const channel of channels) {
      const room = await roomFacts(rest, channel, wire, wanted.self);
      if (room !== undefined) rooms.push(room);
    }
    const problems = guildProblems(guildFacts(wire, rooms), wanted);
    if (problems.length > 0) return problems.map(bad);
    const seen = rooms.length === 0 ? "" : `, and in its ${rooms.length} known room${rooms.length === 1 ? "" : "s"}`;
    return [{ ok: true, says: `the bot has every permission that it needs in ${name}${seen}` }];
  } catch (error) {
    return [bad(`${name} cannot be looked at: ${problemOf(error)}`)];
  }
}

function guildFacts(wire: GuildWire, rooms: readonly RoomFacts[]): GuildFacts {
  const own = wire.roles.filter(({ id }) => wire.member.roles.includes(id));
  return {
    name: wire.name,
    permissions: channelPermissions(wire, []),
    highest: Math.max(0, ...own.map(({ position }) => position)),
    roles: wire.roles,
    rooms,
  };
}

const webhookList = z.array(z.object({ application_id: z.string().nullish() }));

/** `undefined`: the channel is gone, and with it the room. */
async function roomFacts(rest: REST, id: string, guild: GuildWire, self: Self): Promise<RoomFacts | undefined> {
  let channel: z.infer<typeof channelSchema>;
  try {
    channel = channelSchema.parse(await rest.get(Routes.channel(id)));
  } catch (error) {
    const code = discordCode(error);
    if (code === CODES.unknownChannel) return undefined;
    if (code === CODES.missingAccess) return { name: id, permissions: 0n };
    throw error;
  }
  const facts = { name: channel.name, permissions: channelPermissions(guild, channel.permission_overwrites) };
  const webhooks = await webhooksOf(rest, id);
  if (webhooks === undefined) return facts;
  const own = webhooks.some(({ application_id }) => application_id === self.applicationId);
  return { ...facts, webhooks: { count: webhooks.length, own } };
}

const CODES = { unknownChannel: 10_003, missingAccess: 50_001 } as const;

/** `undefined`: without the right to see them, or in a channel that has none. */
async function webhooksOf(rest: REST, channel: string): Promise<z.infer<typeof webhookList> | undefined> {
  try {
    return webhookList.parse(await rest.get(Routes.channelWebhooks(channel)));
  } catch (error) {
    if (error instanceof DiscordAPIError) return undefined;
    throw error;
  }
}
