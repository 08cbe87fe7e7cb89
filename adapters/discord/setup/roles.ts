import { type Guild, PermissionFlagsBits, type Role } from "discord.js";
import type { Logger } from "../../../src/index.js";
import type { DiscordPersona } from "../team.js";
import { discordCode } from "../tokens.js";

/** Roles by which personas are mentioned: named as the persona, mentionable, without any permission. */
export interface PersonaRoles {
  /** Finds the roles of a server, and makes what is missing if the bot may. Never rejects; what is missing the examination tells. */
  ensure(guild: Guild): Promise<void>;
  /** The persona (its handle) whose role this is; `undefined` for any other role. */
  personaOf(roleId: string): string | undefined;
}

export interface PersonaRolesOptions {
  readonly personas: () => readonly DiscordPersona[];
  readonly logger: Logger;
}

/** Roles that are known at most. A server has up to 250. */
const MOST_ROLES = 5_000;

/** Keeps which role is whose; servers are looked at one after the other. */
export function createPersonaRoles({ personas, logger }: PersonaRolesOptions): PersonaRoles {
  const owners = new Map<string, string>();
  let last: Promise<void> = Promise.resolve();

  async function look(guild: Guild): Promise<void> {
    for (const { name, displayName } of personas().filter(({ role }) => role)) {
      const standing = guild.roles.cache.find((role) => role.name === displayName && isPlain(role));
      const role = standing ?? (await make(guild, displayName));
      if (role !== undefined && owners.size < MOST_ROLES) owners.set(role.id, name);
      if (standing !== undefined && !standing.mentionable && mayChange(guild, standing))
        await standing.setMentionable(true);
    }
  }

  return {
    ensure(guild) {
      last = last
        .then(() => look(guild))
        .catch((error: unknown) => {
          logger.warn(
            { guild: guild.id, code: discordCode(error) },
            "the personas' roles could not be made in a Discord server",
          );
        });
      return last;
    },
    personaOf: (roleId) => owners.get(roleId),
  };
}

/** A role that gives something must not be had for a mention, nor one that belongs to an app. */
function isPlain({ permissions, managed }: Role): boolean {
  return permissions.bitfield === 0n && !managed;
}

function mayMake({ members }: Guild): boolean {
  return members.me?.permissions.has(PermissionFlagsBits.ManageRoles) === true;
}

function mayChange(guild: Guild, role: Role): boolean {
  return mayMake(guild) && role.comparePositionTo(guild.members.me?.roles.highest ?? role) < 0;
}

/** A role of this name that gives something stays what it is, and no second one is made beside it. */
async function make(guild: Guild, name: string): Promise<Role | undefined> {
  if (!mayMake(guild) || guild.roles.cache.some((role) => role.name === name)) return undefined;
  return guild.roles.create({ name, mentionable: true, permissions: [], reason: "A persona is mentioned by it" });
}
