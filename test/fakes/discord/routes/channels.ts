import { channelWire, guildParts } from "../guild-wire.js";
import type { DiscordChannel } from "../model.js";
import { memberWire, rolesWire, userWire } from "../people-wire.js";
import { isThread, Permission } from "../permissions.js";
import { Refusal, refusal, textOf } from "../wire.js";
import { botOf, type Call, channelFor, param, type Routes } from "./route.js";
import { mayManage } from "./threads.js";

/** Channels, servers, members and the bot itself. */
export const channelRoutes: Routes = {
  get_channel: {
    verb: "GET",
    path: "/channels/{channel_id}",
    run: (call) => channelWire(call.world.workspace, channelFor(call)),
  },
  update_channel: { verb: "PATCH", path: "/channels/{channel_id}", run: update },
  trigger_typing_indicator: {
    verb: "POST",
    path: "/channels/{channel_id}/typing",
    run(call) {
      const channel = channelFor(call, ["sendMessages"]);
      const { typings, workspace } = call.world;
      typings.push({ channelId: channel.id, app: botOf(call).name, at: workspace.clock.now() });
      return undefined;
    },
  },
  create_dm: {
    verb: "POST",
    path: "/users/@me/channels",
    run(call) {
      const { workspace } = call.world;
      const user = workspace.users.get(textOf(call.body, "recipient_id") ?? "");
      if (!user) throw refusal(10013);
      return channelWire(workspace, workspace.conversationOf(botOf(call).id, user.id));
    },
  },
  get_my_user: {
    verb: "GET",
    path: "/users/@me",
    run: (call) => ({ ...userWire(botOf(call).user), verified: true, mfa_enabled: true, email: null }),
  },
  get_user: {
    verb: "GET",
    path: "/users/{user_id}",
    run(call) {
      const user = call.world.workspace.users.get(param(call, "user_id"));
      if (!user) throw refusal(10013);
      return userWire(user);
    },
  },
  list_my_guilds: {
    verb: "GET",
    path: "/users/@me/guilds",
    run(call) {
      const guilds = [...call.world.workspace.guilds.values()].filter((it) => it.members.has(botOf(call).id));
      return guilds.map(({ id, name, ownerId }) => ({ id, name, owner: ownerId === botOf(call).id, features: [] }));
    },
  },
  get_guild: { verb: "GET", path: "/guilds/{guild_id}", run: (call) => guildParts(guildIn(call)) },
  list_guild_roles: { verb: "GET", path: "/guilds/{guild_id}/roles", run: (call) => rolesWire(guildIn(call)) },
  list_guild_channels: {
    verb: "GET",
    path: "/guilds/{guild_id}/channels",
    run(call) {
      const guild = guildIn(call);
      const { workspace } = call.world;
      const channels = [...workspace.channels.values()].filter((it) => it.guildId === guild.id && !isThread(it));
      return channels.map((it) => channelWire(workspace, it));
    },
  },
  get_guild_member: {
    verb: "GET",
    path: "/guilds/{guild_id}/members/{user_id}",
    run(call) {
      const { workspace } = call.world;
      const user = workspace.users.get(param(call, "user_id"));
      if (!user) throw refusal(10013);
      const member = guildIn(call).members.get(user.id);
      if (!member) throw refusal(10007);
      return { user: userWire(user), ...memberWire(member) };
    },
  },
  get_my_application: {
    verb: "GET",
    path: "/applications/@me",
    run: (call) => applicationOf(call),
  },
  get_my_oauth2_application: {
    verb: "GET",
    path: "/oauth2/applications/@me",
    run: (call) => applicationOf(call),
  },
  get_bot_gateway: {
    verb: "GET",
    path: "/gateway/bot",
    run(call) {
      const { gateway, wsUrl } = call.world;
      botOf(call);
      return {
        url: wsUrl(),
        shards: 1,
        session_start_limit: {
          total: 1000,
          remaining: gateway.sessionsLeft,
          reset_after: gateway.sessionsLeft > 0 ? 0 : 86_400_000,
          max_concurrency: gateway.maxConcurrency,
        },
      };
    },
  },
  get_gateway: { verb: "GET", path: "/gateway", isOpen: true, run: (call) => ({ url: call.world.wsUrl() }) },
};

/** The bits by which an application says which privileged intents the portal grants it, as one that is not verified. */
const PORTAL_FLAGS = { presences: 1 << 13, members: 1 << 15, content: 1 << 19 } as const;

function applicationOf(call: Call): unknown {
  const { id, name, user, privileges } = botOf(call);
  return {
    id,
    name,
    icon: null,
    description: "",
    summary: "",
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: "0".repeat(64),
    flags: [...privileges].reduce((bits, privilege) => bits | PORTAL_FLAGS[privilege], 0),
    bot: userWire(user),
    owner: null,
    team: null,
    install_params: null,
    integration_types_config: { "0": {} },
  };
}

function guildIn(call: Call) {
  const guild = call.world.workspace.guilds.get(param(call, "guild_id"));
  if (!guild?.members.has(botOf(call).id)) throw guild ? refusal(50001) : refusal(10004);
  return guild;
}

/** Of a thread: archive and lock. Other channels need ManageChannels; only their name changes here. */
function update(call: Call): unknown {
  const channel = channelFor(call);
  const { body, world } = call;
  const isOne = isThread(channel);
  if (isOne) updateThread(call, channel);
  else channelFor(call, ["manageChannels"]);
  const name = textOf(body, "name");
  if (name === "") throw new Refusal(400, 50035, "Invalid Form Body");
  if (name !== undefined) channel.name = name;
  world.feed.channel(isOne ? "THREAD_UPDATE" : "CHANNEL_UPDATE", channel);
  return channelWire(world.workspace, channel);
}

function updateThread(call: Call, thread: DiscordChannel): void {
  const { body, world } = call;
  const isManager = (world.workspace.permissionsIn(thread, botOf(call).id) & Permission.manageThreads) !== 0n;
  const isReopening = body.archived === false && !thread.isLocked;
  if (!mayManage(world, thread, botOf(call).id) && !isReopening) throw refusal(50013);
  if (thread.isLocked && !isManager) throw refusal(thread.isArchived ? 50083 : 50013);
  if (typeof body.archived === "boolean") thread.isArchived = body.archived;
  if (typeof body.locked === "boolean") thread.isLocked = body.locked;
}
