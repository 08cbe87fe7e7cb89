import type { Feed } from "./feed.js";
import { channelWire } from "./guild-wire.js";
import { messageWire } from "./message-wire.js";
import type { DiscordApp, DiscordChannel, DiscordMessage, DiscordUser } from "./model.js";
import { memberWire, userWire } from "./people-wire.js";
import { compact, type Json, refusal } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** A choice that an app offers while someone types. */
export interface Choice {
  readonly name: string;
  readonly value: string | number;
}

/** One answer that Discord took. */
export interface Callback {
  /** 4 reply, 5 defer, 6 defer the update, 7 update, 8 choices, 9 modal. */
  readonly type: number;
  readonly data: Json;
  readonly at: number;
}

/** A command, a press or some typing, and what came back. */
export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly kind: InteractionKind;
  readonly at: number;
  /** The first answer; later ones are refused. */
  readonly callback: Callback | undefined;
  /** The answer, or the message that an update changes. */
  readonly original: DiscordMessage | undefined;
  readonly followUps: readonly DiscordMessage[];
  readonly choices: readonly Choice[] | undefined;
  /** It was put off, and nothing has come since. */
  readonly isThinking: boolean;
  /** Three seconds have passed without an answer: it failed. */
  lapse(): void;
  /** Fifteen minutes have passed. */
  expire(): void;
}

export type InteractionKind = "command" | "button" | "autocomplete";

/** An interaction as the routes change it. */
export interface OpenInteraction {
  readonly view: Interaction;
  readonly app: DiscordApp;
  readonly user: DiscordUser;
  readonly channel: DiscordChannel;
  /** What stands in messages about it. */
  readonly metadata: Json;
  callback: Callback | undefined;
  original: DiscordMessage | undefined;
  readonly followUps: DiscordMessage[];
  choices: readonly Choice[] | undefined;
  isThinking: boolean;
}

export interface Interactions {
  readonly all: readonly Interaction[];
  /** Someone does something in a channel; the app learns of it. `message` is the one with the button. */
  begin(user: DiscordUser, app: DiscordApp, doing: Doing): Interaction;
  /** For the first answer: throws Unknown interaction when it is too late, and another refusal when there was one. */
  toAnswer(id: string, token: string): OpenInteraction;
  /** For everything after the first answer. */
  answered(app: string, token: string): OpenInteraction | undefined;
}

export interface Doing {
  readonly kind: InteractionKind;
  readonly channel: DiscordChannel;
  readonly data: Json;
  readonly message?: DiscordMessage | undefined;
}

const TYPES: Readonly<Record<InteractionKind, number>> = { command: 2, button: 3, autocomplete: 4 };
const ANSWER_WITHIN_MS = 3_000;
const TOKEN_LIVES_MS = 15 * 60_000;

interface InteractionsDeps {
  readonly workspace: Workspace;
  readonly feed: Feed;
}

export function createInteractions({ workspace, feed }: InteractionsDeps): Interactions {
  const byToken = new Map<string, { readonly open: OpenInteraction; readonly late: Late }>();

  return {
    get all() {
      return [...byToken.values()].map(({ open }) => open.view);
    },
    begin(user, app, doing) {
      const id = workspace.mintId();
      const token = `aW50ZXJhY3Rpb246${Buffer.from(`${id}:${user.id}`).toString("base64url")}`;
      const late = createLate(workspace);
      const open = createOpen({ id, token, kind: doing.kind, at: workspace.clock.now() }, { user, app, doing, late });
      byToken.set(token, { open, late });
      feed.tellApp(app, "INTERACTION_CREATE", interactionWire(workspace, open, doing));
      return open.view;
    },
    toAnswer(id, token) {
      const found = byToken.get(token);
      if (!found || found.open.view.id !== id) throw refusal(10062);
      if (found.open.callback) throw refusal(40060);
      if (found.late.isLapsed()) throw refusal(10062);
      if (found.open.channel.isArchived && found.open.channel.isLocked) throw refusal(50083);
      return found.open;
    },
    answered(app, token) {
      const found = byToken.get(token);
      if (!found || found.open.app.id !== app) return undefined;
      if (found.late.isExpired()) throw refusal(50027);
      if (!found.open.callback) throw refusal(10015);
      return found.open;
    },
  };
}

interface Late {
  isLapsed(): boolean;
  isExpired(): boolean;
  lapse(): void;
  expire(): void;
}

function createLate({ clock }: Workspace): Late {
  const begun = clock.now();
  let [isLapsed, isExpired] = [false, false];
  return {
    isLapsed: () => isLapsed || isExpired || clock.now() - begun > ANSWER_WITHIN_MS,
    isExpired: () => isExpired || clock.now() - begun > TOKEN_LIVES_MS,
    lapse() {
      isLapsed = true;
    },
    expire() {
      isExpired = true;
    },
  };
}

interface Who {
  readonly user: DiscordUser;
  readonly app: DiscordApp;
  readonly doing: Doing;
  readonly late: Late;
}

type Begun = Pick<Interaction, "id" | "token" | "kind" | "at">;

function createOpen(begun: Begun, { user, app, doing, late }: Who): OpenInteraction {
  const followUps: DiscordMessage[] = [];
  const open: OpenInteraction = {
    view: {
      ...begun,
      get callback() {
        return open.callback;
      },
      get original() {
        return open.original;
      },
      followUps,
      get choices() {
        return open.choices;
      },
      get isThinking() {
        return open.isThinking;
      },
      lapse: late.lapse,
      expire: late.expire,
    },
    app,
    user,
    channel: doing.channel,
    metadata: {
      id: begun.id,
      type: TYPES[begun.kind],
      user: userWire(user),
      authorizing_integration_owners: { "0": doing.channel.guildId ?? "0" },
    },
    callback: undefined,
    original: doing.message,
    followUps,
    choices: undefined,
    isThinking: false,
  };
  return open;
}

/** INTERACTION_CREATE, with what the person and the app may in the channel. */
function interactionWire(workspace: Workspace, { view, app, user, channel }: OpenInteraction, doing: Doing): Json {
  const guild = workspace.guildOf(channel);
  const member = guild?.members.get(user.id);
  const permissions = String(workspace.permissionsIn(channel, user.id));
  const sight = { workspace, readerId: app.id, hasContent: true, isEvent: false, hasChannelType: false };
  return compact({
    id: view.id,
    application_id: app.id,
    type: TYPES[doing.kind],
    token: view.token,
    version: 1,
    guild_id: guild?.id,
    guild: guild && { id: guild.id, locale: "en-US", features: [] },
    channel_id: channel.id,
    channel: { ...channelWire(workspace, channel), permissions },
    member: member && { user: userWire(user), ...memberWire(member), permissions },
    user: member ? undefined : userWire(user),
    data: doing.data,
    message: doing.message && messageWire(doing.message, channel, sight),
    locale: "en-US",
    guild_locale: guild && "en-US",
    app_permissions: String(workspace.permissionsIn(channel, app.id)),
    entitlements: [],
    authorizing_integration_owners: { "0": guild?.id ?? "0" },
    context: guild ? 0 : 1,
    attachment_size_limit: 10_485_760,
  });
}
