import type { Guild } from "discord.js";
import type { Logger, Reader } from "../../../src/index.js";
import type { Hint } from "../../shared/hints.js";
import { type Place, placeOf } from "../place.js";
import type { Self } from "../self.js";
import type { DiscordPersona } from "../team.js";
import { type GuildFacts, guildProblems, type RoomFacts } from "./examine-rights.js";
import type { Registrar } from "./register-commands.js";
import type { PersonaRoles } from "./roles.js";

/** Readies every server that the bot is in: roles, the command, and a look at the rights. */
export interface Servers {
  /** A server is there, or there again; of one it is done once for each time that the bot joins. Never rejects. */
  add(guild: Guild): Promise<void>;
}

export interface ServersOptions {
  readonly self: Self;
  readonly personas: () => readonly DiscordPersona[];
  readonly roles: PersonaRoles;
  readonly registrar: Registrar;
  readonly reader: Pick<Reader, "rooms">;
  /** Tells an admin what to mend. */
  readonly hint: Hint;
  readonly logger: Logger;
}

/** More servers than this are a service of another kind. */
const MOST_SERVERS = 2_500;

export function createServers(options: ServersOptions): Servers {
  const { self, personas, roles, registrar, reader, hint, logger } = options;
  const done = new Set<string>();

  let listed: Promise<readonly Place[]> | undefined;

  /** Rooms of before this run: all servers come at once, and are not to read them one after the other. */
  function known(): Promise<readonly Place[]> {
    listed ??= reader.rooms().then((rooms) => {
      return rooms.filter(({ id }) => id.startsWith("discord:")).map(({ id }) => placeOf(id));
    });
    return listed;
  }

  async function ready(guild: Guild): Promise<void> {
    await registrar.guild(guild.id);
    await roles.ensure(guild);
    const channels = (await known()).filter((place) => place.guild === guild.id).map(({ channel }) => channel);
    const names = personas()
      .filter(({ role }) => role)
      .map(({ displayName }) => displayName);
    const problems = guildProblems(guildFacts(guild, channels), { self, roles: names });
    for (const problem of problems) hint(problem, problem);
  }

  return {
    async add(guild) {
      // Who brings the bot in anew has taken its command away with it.
      const visit = `${guild.id} ${guild.joinedTimestamp}`;
      if (done.has(visit) || done.size >= MOST_SERVERS) return;
      done.add(visit);
      await ready(guild).catch((error: unknown) => logger.warn({ error }, "a Discord server could not be looked at"));
    },
  };
}

/** From what the library knows, without asking Discord. */
function guildFacts(guild: Guild, channels: readonly string[]): GuildFacts {
  const { me } = guild.members;
  return {
    name: guild.name,
    permissions: me?.permissions.bitfield ?? 0n,
    highest: me?.roles.highest.position ?? 0,
    roles: guild.roles.cache.map(({ id, name, permissions, position, mentionable }) => {
      return { id, name, permissions: permissions.bitfield, position, mentionable };
    }),
    rooms: me === null ? [] : channels.flatMap((id) => roomFacts(guild, me, id)),
  };
}

/** A channel that is gone is no room any more. */
function roomFacts(guild: Guild, me: NonNullable<Guild["members"]["me"]>, id: string): readonly RoomFacts[] {
  const channel = guild.channels.cache.get(id);
  if (channel === undefined) return [];
  return [{ name: channel.name, permissions: channel.permissionsFor(me).bitfield }];
}
