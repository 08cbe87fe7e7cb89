import type { Board } from "./board.js";
import type { Courier, Delivery } from "./courier.js";
import type { SlackApp, SlackChannel, SlackUser } from "./model.js";
import { createResponseUrls, type Origin, type ResponseUrl, type ResponseUrls } from "./response-urls.js";
import { compact, escapeText, isRecord, type Json, Refusal, textOf } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** A button as someone saw it: it can be pressed even when it is gone by then. */
export interface Button {
  readonly label: string;
  readonly actionId: string;
  readonly blockId: string;
  readonly value: string | undefined;
  readonly app: SlackApp;
  readonly channel: SlackChannel;
  readonly messageTs: string;
  readonly threadTs: string | undefined;
  /** The message as it goes into the payload; an ephemeral one does not. */
  readonly message: Json | undefined;
}

/** A command, a press or a submission, and what came back. */
export interface Interaction {
  readonly delivery: Delivery;
  readonly triggerId: string;
  /** Where the app may answer for half an hour; a modal has none. */
  readonly responseUrl: ResponseUrl | undefined;
}

/** A modal that stands open for someone. */
export interface OpenView {
  readonly id: string;
  readonly app: SlackApp;
  readonly userId: string;
  readonly view: Json;
}

export interface Interactions {
  readonly responseUrls: ResponseUrls;
  readonly views: readonly OpenView[];
  command(user: SlackUser, channel: SlackChannel, command: string, text: string): Interaction;
  press(user: SlackUser, button: Button): Interaction;
  submit(view: OpenView, values: Json): Interaction;
  openView(app: SlackApp, triggerId: string, view: Json): Json;
}

const TRIGGER_GOOD_FOR_MS = 3_000;

interface InteractionOptions {
  readonly workspace: Workspace;
  readonly courier: Courier;
  readonly board: () => Board;
  readonly url: () => string;
  readonly onChange: () => void;
}

export function createInteractions({ workspace, courier, board, url, onChange }: InteractionOptions): Interactions {
  const responseUrls = createResponseUrls(workspace, board, url);
  const triggers = new Map<string, { app: SlackApp; userId: string; until: number; isUsed: boolean }>();
  const views: OpenView[] = [];

  function trigger(app: SlackApp, userId: string): string {
    const id = `${workspace.mintId("trigger")}.${workspace.team.id}`;
    triggers.set(id, { app, userId, until: workspace.clock.now() + TRIGGER_GOOD_FOR_MS, isUsed: false });
    return id;
  }

  /** What comes with the acknowledgement of a command is shown, like an answer that comes later. */
  async function showAnswer(delivery: Delivery, origin: Origin): Promise<void> {
    const { answer } = await delivery.settled;
    if (isRecord(answer) && (textOf(answer, "text") || answer.blocks)) responseUrls.answer(origin, answer);
    onChange();
  }

  const common = (app: SlackApp) => ({
    token: "verification-token",
    api_app_id: app.appId,
    is_enterprise_install: false,
  });
  const team = { id: workspace.team.id, domain: workspace.team.domain };

  return {
    responseUrls,
    views,
    command(user, channel, command, text) {
      const app = workspace.apps.findLast((it) => it.commands.has(command) && !it.isUninstalled);
      if (!app) throw new Error(`no app of the fake workspace has the command ${command}`);
      const origin = { app, channel, userId: user.id };
      const responseUrl = responseUrls.give(origin);
      const triggerId = trigger(app, user.id);
      const body = {
        ...commandWire(workspace, user, channel),
        command,
        text,
        response_url: responseUrl.url,
        trigger_id: triggerId,
      };
      const delivery = courier.send(app, "slash_commands", { ...body, api_app_id: app.appId });
      void showAnswer(delivery, origin);
      return { delivery, triggerId, responseUrl };
    },
    press(user, button) {
      const { app, channel } = button;
      const responseUrl = responseUrls.give({
        app,
        channel,
        userId: user.id,
        threadTs: button.threadTs,
        messageTs: button.messageTs,
      });
      const triggerId = trigger(app, user.id);
      const body = { ...common(app), team, user: userWire(user), ...pressWire(button, workspace.mintTs()) };
      const delivery = courier.send(
        app,
        "interactive",
        compact({ ...body, response_url: responseUrl.url, trigger_id: triggerId }),
      );
      return { delivery, triggerId, responseUrl };
    },
    submit(open, values) {
      const triggerId = trigger(open.app, open.userId);
      const user = userWire(workspace.user(open.userId));
      const view = { ...open.view, state: { values } };
      const body = {
        ...common(open.app),
        type: "view_submission",
        team,
        user,
        trigger_id: triggerId,
        response_urls: [],
        view,
      };
      const delivery = courier.send(open.app, "interactive", { ...body, enterprise: null });
      return { delivery, triggerId, responseUrl: undefined };
    },
    openView(app, triggerId, given) {
      const standing = triggers.get(triggerId);
      if (!standing || standing.app !== app) throw new Refusal("invalid_trigger_id");
      if (standing.isUsed) throw new Refusal("exchanged_trigger_id");
      if (workspace.clock.now() > standing.until) throw new Refusal("expired_trigger_id");
      standing.isUsed = true;
      const id = workspace.mintId("V");
      const ids = {
        id,
        team_id: workspace.team.id,
        app_id: app.appId,
        bot_id: app.botId,
        hash: workspace.mintId("hash"),
      };
      const view = { private_metadata: "", callback_id: "", ...given, ...ids, root_view_id: id };
      views.push({ id, app, userId: standing.userId, view });
      return view;
    },
  };
}

/** In a command every value is text, also `is_enterprise_install`. */
function commandWire(workspace: Workspace, user: SlackUser, channel: SlackChannel): Json {
  return {
    token: "verification-token",
    team_id: workspace.team.id,
    team_domain: workspace.team.domain,
    channel_id: channel.id,
    channel_name: channel.kind === "im" ? "directmessage" : channel.kind === "group" ? "privategroup" : channel.name,
    user_id: user.id,
    user_name: user.name,
    is_enterprise_install: "false",
  };
}

function userWire(user: SlackUser): Json {
  return { id: user.id, username: user.name, name: user.name, team_id: user.teamId };
}

/** Labels and values come back escaped. */
function pressWire(button: Button, actionTs: string): Json {
  const { channel, messageTs, threadTs, message } = button;
  const isEphemeral = message === undefined;
  return {
    type: "block_actions",
    enterprise: null,
    channel: { id: channel.id, name: channel.kind === "im" ? "directmessage" : channel.name },
    container: compact({
      type: "message",
      message_ts: messageTs,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      thread_ts: threadTs,
    }),
    message,
    state: { values: {} },
    actions: [
      compact({
        type: "button",
        action_id: button.actionId,
        block_id: button.blockId,
        text: { type: "plain_text", text: escapeText(button.label), emoji: true },
        value: button.value === undefined ? undefined : escapeText(button.value),
        action_ts: actionTs,
      }),
    ],
  };
}
