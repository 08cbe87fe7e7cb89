import { rolesWire } from "../people-wire.js";
import { guildPermissions, Permission } from "../permissions.js";
import { type Json, refusal, textOf } from "../wire.js";
import { botOf, type Call, param, type Routes } from "./route.js";

/** Making and changing a server's roles, by who may and only below the own highest one. */
export const roleRoutes: Routes = {
  create_guild_role: {
    verb: "POST",
    path: "/guilds/{guild_id}/roles",
    run(call) {
      const guild = managed(call);
      const { workspace } = call.world;
      const role = workspace.addRole(guild.id, { name: textOf(call.body, "name") ?? "new role" });
      role.permissions = BigInt(textOf(call.body, "permissions") ?? "0");
      role.isMentionable = call.body.mentionable === true;
      return wireOf(call, role.id);
    },
  },
  update_guild_role: {
    verb: "PATCH",
    path: "/guilds/{guild_id}/roles/{role_id}",
    run(call) {
      const role = managed(call).roles.get(param(call, "role_id"));
      if (!role) throw refusal(10011);
      if (typeof call.body.mentionable === "boolean") role.isMentionable = call.body.mentionable;
      return wireOf(call, role.id);
    },
  },
};

function managed(call: Call) {
  const guild = call.world.workspace.guilds.get(param(call, "guild_id"));
  if (!guild) throw refusal(10004);
  if ((guildPermissions(guild, botOf(call).id) & Permission.manageRoles) === 0n) throw refusal(50013);
  return guild;
}

function wireOf(call: Call, id: string): Json | undefined {
  const guild = managed(call);
  return rolesWire(guild).find((role) => role.id === id);
}
