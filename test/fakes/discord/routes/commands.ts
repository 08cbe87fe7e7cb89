import { checkCommands } from "../command-rules.js";
import { isRecord, type Json, refusal, textOf } from "../wire.js";
import { botOf, type Call, param, type Routes } from "./route.js";

const GLOBAL = "/applications/{application_id}/commands";
const OF_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands";

/** Registering an app's commands, for all servers or for one. */
export const commandRoutes: Routes = {
  list_application_commands: { verb: "GET", path: GLOBAL, run: (call) => standing(call) },
  list_guild_application_commands: { verb: "GET", path: OF_GUILD, run: (call) => standing(call) },
  create_application_command: { verb: "POST", path: GLOBAL, run: create },
  bulk_set_application_commands: { verb: "PUT", path: GLOBAL, run: put },
  bulk_set_guild_application_commands: { verb: "PUT", path: OF_GUILD, run: put },
};

function scopeOf(call: Call): string {
  const app = botOf(call);
  if (param(call, "application_id") !== app.id) throw refusal(20012);
  const guildId = param(call, "guild_id");
  if (guildId === "") return "global";
  if (!call.world.workspace.guilds.get(guildId)?.members.has(app.id)) throw refusal(50001);
  return guildId;
}

function standing(call: Call): readonly Json[] {
  return botOf(call).commands.get(scopeOf(call)) ?? [];
}

/** Adds one command, or puts it in the place of that of its name. */
function create(call: Call): unknown {
  const others = standing(call).filter((it) => it.name !== call.body.name);
  const made = put({ ...call, raw: [...others, call.body] });
  return Array.isArray(made) ? made.at(-1) : made;
}

/** Puts the commands in the place of those that are there; one of the same name keeps its id. */
function put(call: Call): unknown {
  const { workspace } = call.world;
  const app = botOf(call);
  const scope = scopeOf(call);
  const asked = Array.isArray(call.raw) ? call.raw.filter(isRecord) : [];
  checkCommands(asked);
  const old = standing(call);
  const made = asked.map((command): Json => {
    const same = old.find((it) => it.name === command.name);
    return {
      type: 1,
      ...command,
      id: textOf(same ?? {}, "id") ?? workspace.mintId(),
      application_id: app.id,
      version: workspace.mintId(),
      ...(scope === "global" ? {} : { guild_id: scope }),
      default_member_permissions: command.default_member_permissions ?? null,
    };
  });
  app.commandPuts++;
  app.commands.set(scope, made);
  return made;
}
