import type { IShardingStrategy, WebSocketManager } from "@discordjs/ws";
import {
  Client,
  GatewayIntentBits,
  type GuildMember,
  Options,
  Partials,
  type RESTOptions,
  type User,
} from "discord.js";

interface ClientParts {
  /** Base of the REST API. */
  readonly apiUrl: string;
  readonly makeRequest: RESTOptions["makeRequest"];
  readonly shards: (manager: WebSocketManager) => IShardingStrategy;
}

/** Users and members that are kept in memory, each per collection; discord.js itself would keep everybody. */
export const MOST_KEPT = 100;

/** Discord may be slow; the library would wait longer and then send again. */
const REST_TIMEOUT_MS = 10_000;

const NOTHING_KEPT = {
  AutoModerationRuleManager: 0,
  BaseGuildEmojiManager: 0,
  EntitlementManager: 0,
  GuildBanManager: 0,
  GuildEmojiManager: 0,
  GuildInviteManager: 0,
  GuildScheduledEventManager: 0,
  GuildStickerManager: 0,
  MessageManager: 0,
  PresenceManager: 0,
  ReactionManager: 0,
  ReactionUserManager: 0,
  StageInstanceManager: 0,
  ThreadMemberManager: 0,
  VoiceStateManager: 0,
} as const;

/**
 * The library's client: it knows the servers, their channels and roles, and keeps next to nothing of people and messages. It speaks
 * to people only when they have asked for something; whom it would ping is nobody.
 */
export function createClient({ apiUrl, makeRequest, shards }: ClientParts): Client {
  const kept = { maxSize: MOST_KEPT, keepOverLimit: isSelf };
  return new Client({
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.GuildWebhooks,
      GatewayIntentBits.DirectMessages,
      GatewayIntentBits.MessageContent,
    ],
    partials: [Partials.Channel, Partials.Message],
    allowedMentions: { parse: [], repliedUser: false },
    makeCache: Options.cacheWithLimits({ ...NOTHING_KEPT, UserManager: kept, GuildMemberManager: kept }),
    shards: [0],
    shardCount: 1,
    rest: { api: apiUrl, timeout: REST_TIMEOUT_MS, makeRequest },
    ws: { buildStrategy: shards },
  });
}

/** The bot itself is never forgotten: its rights hang on it. */
function isSelf({ id, client }: User | GuildMember): boolean {
  return id === client.user?.id;
}
