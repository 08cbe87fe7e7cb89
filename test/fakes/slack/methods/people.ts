import type { SlackUser } from "../model.js";
import { compact, type Json, Refusal } from "../wire.js";
import type { Call, Methods } from "./method.js";
import { page } from "./paging.js";

/** The methods that say who someone is. */
export const peopleMethods: Methods = {
  "auth.test": {
    run: ({ app, world }) => ({
      url: `https://${world.workspace.team.domain}.slack.com/`,
      team: world.workspace.team.name,
      user: app.name,
      team_id: world.workspace.team.id,
      user_id: app.userId,
      bot_id: app.botId,
      is_enterprise_install: false,
    }),
  },
  "users.info": {
    scope: "users:read",
    run(call) {
      const user = call.world.workspace.users.get(call.args.need("user"));
      if (!user) throw new Refusal("user_not_found");
      return { user: userWire(user, call) };
    },
  },
  "users.list": {
    scope: "users:read",
    run(call) {
      const own = [...call.world.workspace.users.values()].filter(
        (user) => user.teamId === call.world.workspace.team.id,
      );
      const { items, metadata } = page(own, call.args);
      return { members: items.map((user) => userWire(user, call)), response_metadata: metadata };
    },
  },
  "bots.info": {
    scope: "users:read",
    run({ args, world }) {
      const app = world.workspace.apps.find((it) => it.botId === args.need("bot"));
      if (!app) throw new Refusal("bot_not_found");
      const bot = {
        id: app.botId,
        app_id: app.appId,
        user_id: app.userId,
        name: app.displayName,
        deleted: app.isUninstalled,
      };
      return { bot };
    },
  },
};

function userWire(user: SlackUser, { world }: Call): Json {
  const app = world.workspace.apps.find((it) => it.userId === user.id);
  return compact({
    id: user.id,
    team_id: user.teamId,
    name: user.name,
    real_name: user.displayName,
    deleted: user.isDeleted,
    tz: "Europe/Berlin",
    is_bot: user.isBot,
    is_admin: user.isAdmin,
    is_owner: user.isOwner,
    is_primary_owner: false,
    is_app_user: false,
    is_stranger: user.teamId === world.workspace.team.id ? undefined : true,
    profile: compact({
      display_name: user.displayName,
      real_name: user.displayName,
      api_app_id: app?.appId,
      bot_id: app?.botId,
      team: user.teamId,
    }),
  });
}
