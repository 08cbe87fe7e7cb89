import type { Self } from "../self.js";
import { inviteLink } from "./invite.js";
import { lackOf, missingRights } from "./rights.js";

/** A role of a server. */
export interface RoleFacts {
  readonly id: string;
  readonly name: string;
  readonly permissions: bigint;
  readonly position: number;
  readonly mentionable: boolean;
}

/** A channel that is a room, as the bot sees it. */
export interface RoomFacts {
  readonly name: string;
  /** What the bot may there. */
  readonly permissions: bigint;
  /** How many webhooks are there, and whether one is ours; absent: not asked. */
  readonly webhooks?: { readonly count: number; readonly own: boolean };
}

/** A server that the bot is in. */
export interface GuildFacts {
  readonly name: string;
  /** What the bot may in the server at large. */
  readonly permissions: bigint;
  /** Position of the bot's highest role. */
  readonly highest: number;
  readonly roles: readonly RoleFacts[];
  readonly rooms: readonly RoomFacts[];
}

/** What of a server is looked at. */
export interface Wanted {
  readonly self: Self;
  /** Names of the roles that personas are to have. */
  readonly roles: readonly string[];
}

/** Discord allows no more in one channel. */
const MOST_WEBHOOKS = 15;

/** What an admin has to mend in a server, each with the mend; nothing when all is well. */
export function guildProblems(guild: GuildFacts, { self, roles }: Wanted): readonly string[] {
  const missing = missingRights(guild.permissions, false);
  const link = inviteLink(self.applicationId, roles.length > 0);
  const server =
    missing.length === 0
      ? []
      : [
          `In ${guild.name} the bot lacks ${lackOf(missing)}. Open ${link} once more, or grant it to the role ${self.name} in Server Settings, Roles.`,
        ];
  return [...server, ...roleProblems(guild, roles, link), ...guild.rooms.flatMap((room) => roomProblems(guild, room))];
}

/** What the server as a whole grants is spoken of once; a channel only where it takes something away. */
function roomProblems({ name: guild, permissions }: GuildFacts, room: RoomFacts): readonly string[] {
  const known = new Set(missingRights(permissions, false).map(({ name }) => name));
  const missing = missingRights(room.permissions, false).filter(({ name }) => !known.has(name));
  const where = `#${room.name} of ${guild}`;
  const unseen = missing.find(({ name }) => name === "View Channels");
  if (unseen !== undefined)
    return [`The bot does not see ${where}: add it in the channel's settings, Permissions, with View Channel.`];
  const lacks =
    missing.length === 0
      ? []
      : [`In ${where} the bot lacks ${lackOf(missing)}. Grant it in the channel's settings, Permissions.`];
  const { webhooks } = room;
  const isFull = webhooks !== undefined && !webhooks.own && webhooks.count >= MOST_WEBHOOKS;
  const full = `${where} has ${MOST_WEBHOOKS} webhooks, which is all that Discord allows, and none is ours: remove one in the channel's settings, Integrations.`;
  return isFull ? [...lacks, full] : lacks;
}

function roleProblems(guild: GuildFacts, wanted: readonly string[], link: string): readonly string[] {
  const byName = new Map(guild.roles.map((role) => [role.name, role]));
  const mayMake = missingRights(guild.permissions, true).every(({ name }) => name !== "Manage Roles");
  const absent = wanted.filter((name) => !byName.has(name));
  const cannot =
    absent.length > 0 && !mayMake
      ? [
          `In ${guild.name} the bot lacks Manage Roles: it cannot make the roles ${absent.join(", ")}. Open ${link} once more, or make mentionable roles of these names without any permission.`,
        ]
      : [];
  const odd = wanted.flatMap((name) => {
    const role = byName.get(name);
    return role === undefined ? [] : oddRole(guild, role, mayMake);
  });
  return [...cannot, ...odd];
}

function oddRole(guild: GuildFacts, role: RoleFacts, mayMake: boolean): readonly string[] {
  const where = `The role ${role.name} of ${guild.name}`;
  if (role.permissions !== 0n)
    return [`${where} has permissions, so it is not taken for the persona: rename it, or take them away.`];
  if (role.mentionable || (mayMake && role.position < guild.highest)) return [];
  return [
    `${where} cannot be mentioned, and stands above the bot's own: turn on "Allow anyone to @mention this role".`,
  ];
}
