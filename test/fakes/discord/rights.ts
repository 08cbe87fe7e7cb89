import { known } from "./known.js";
import type { DiscordChannel, DiscordGuild, DiscordRole, DiscordUser, Overwrite } from "./model.js";
import { bitsOf, type PermissionName } from "./permissions.js";

/** Gives and takes permissions: of `everyone`, a role, a person or a bot; in a channel, or in the whole server. */
export interface Rights {
  deny(guild: DiscordGuild, who: string, names: readonly PermissionName[], channel?: DiscordChannel): void;
  allow(guild: DiscordGuild, who: string, names: readonly PermissionName[], channel?: DiscordChannel): void;
}

export function createRights(findUser: (asked: string) => DiscordUser | undefined): Rights {
  /** The id that an overwrite goes by, and whether it is a role's. */
  function subject(guild: DiscordGuild, who: string): Pick<Overwrite, "id" | "type"> {
    if (who === "everyone") return { id: guild.id, type: 0 };
    const found = findUser(who);
    if (found && guild.members.has(found.id)) return { id: found.id, type: 1 };
    return { id: known(findRole(guild, who), "role or member", who).id, type: 0 };
  }

  function overwriteOf(guild: DiscordGuild, channel: DiscordChannel, who: string): Overwrite {
    const wanted = subject(guild, who);
    const standing = channel.overwrites.find((it) => it.id === wanted.id);
    if (standing) return standing;
    const made = { ...wanted, allow: 0n, deny: 0n };
    channel.overwrites.push(made);
    return made;
  }

  /** In the whole server a bot's permissions are those of its own role. */
  function roleOf(guild: DiscordGuild, who: string): DiscordRole {
    const found = findUser(who);
    if (who === "everyone") return known(guild.roles.get(guild.id), "role", who);
    return known((found && botRoleOf(guild, found.id)) ?? findRole(guild, who), "role", who);
  }

  return {
    deny(guild, who, names, channel) {
      const bits = bitsOf(names);
      if (!channel) {
        roleOf(guild, who).permissions &= ~bits;
        return;
      }
      const overwrite = overwriteOf(guild, channel, who);
      overwrite.deny |= bits;
      overwrite.allow &= ~bits;
    },
    allow(guild, who, names, channel) {
      const bits = bitsOf(names);
      if (!channel) {
        roleOf(guild, who).permissions |= bits;
        return;
      }
      const overwrite = overwriteOf(guild, channel, who);
      overwrite.allow |= bits;
      overwrite.deny &= ~bits;
    },
  };
}

/** The role that came with a bot. */
export function botRoleOf(guild: DiscordGuild, appId: string): DiscordRole | undefined {
  return [...guild.roles.values()].find((it) => it.botId === appId);
}

/** By id or name, case ignored. */
export function findRole(guild: DiscordGuild, asked: string): DiscordRole | undefined {
  const isIt = (it: DiscordRole) => it.name.toLowerCase() === asked.toLowerCase();
  return guild.roles.get(asked) ?? [...guild.roles.values()].find(isIt);
}
