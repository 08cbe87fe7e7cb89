import type { Answer, Inbox, Logger, View } from "../../../src/index.js";
import { threadSession } from "../../../src/index.js";
import { answerTo } from "../../shared/asked.js";
import type { Workspace } from "../workspace.js";
import { isDirect, roomOfChannel } from "./inbound.js";
import { withNames } from "./names.js";
import type { Directory } from "./senders.js";
import { commandTextOf } from "./text-in.js";
import { unescapeText } from "./text-in-tokens.js";
import { blockActions, slashCommand } from "./wire.js";

/** Commands and clicks. They have been acknowledged; the answer follows, once. */
export interface Asks {
  command(body: unknown): Promise<void>;
  press(body: unknown): Promise<void>;
}

interface AsksOptions {
  readonly inbox: Inbox;
  readonly workspace: Workspace;
  readonly directory: Directory;
  readonly logger: Logger;
  /** Shows something to one person, in the thread where they are. */
  readonly ephemeral: (session: string, to: string, view: View) => Promise<void>;
  /** Answers where a command was given, also in channels that the app is not in. */
  readonly respond: (url: string, view: View) => Promise<void>;
  /** Whether the app is surely not in a channel. */
  readonly isAway: (channel: string) => Promise<boolean>;
}

const AWAY = "Troupe is not in this channel, so nobody else sees this here: /invite it.";

export function createAsks(options: AsksOptions): Asks {
  const { inbox, workspace, directory, logger, ephemeral, respond, isAway } = options;
  const isAgain = createTriggers();

  /** What the room sees is in the room already; the rest is for who asked. `unseen`: in this channel the room may see nothing. */
  async function answer(
    asked: () => Promise<Answer>,
    show: (view: View) => Promise<void>,
    unseen?: string,
  ): Promise<void> {
    const { view, public: isPublic } = await answerTo(asked, "Slack", logger);
    const isUnseen = isPublic && unseen !== undefined && (await isAway(unseen));
    if (isPublic && !isUnseen) return;
    await show(isUnseen ? { ...view, text: `${view.text}\n\n${AWAY}` } : view).catch((error: unknown) =>
      logger.warn({ error }, "could not answer in Slack"),
    );
  }

  return {
    async command(body) {
      const parsed = slashCommand.safeParse(body);
      if (!parsed.success) return void logger.warn({}, "a command from Slack has not the form of one");
      const { command, text, channel_id: channel, user_id: user, team_id: team, response_url: url } = parsed.data;
      if (isAgain(parsed.data.trigger_id)) return void logger.debug({ channel }, "a command came again");
      const session = roomOfChannel(workspace.teamId, channel);
      const ask = async () => {
        const [from, words] = await Promise.all([
          directory.person(user, team),
          withNames(directory, (people) => commandTextOf(text, people, workspace)),
        ]);
        const direct = isDirect(channel) ? { direct: true } : {};
        return inbox.command({ session, from, text: `${command.slice(1)} ${words}`.trim(), ...direct });
      };
      const show = (view: View) => (url === undefined ? ephemeral(session, user, view) : respond(url, view));
      await answer(ask, show, channel);
    },
    async press(body) {
      const parsed = blockActions.safeParse(body);
      const channel = parsed.data?.channel?.id ?? parsed.data?.container?.channel_id;
      const [pressed] = parsed.data?.actions ?? [];
      if (!parsed.success || channel === undefined || pressed === undefined)
        return void logger.warn({}, "a click from Slack has not the form of one");
      if (isAgain(parsed.data.trigger_id)) return void logger.debug({ channel }, "a click came again");
      const { user, message, container } = parsed.data;
      const room = roomOfChannel(workspace.teamId, channel);
      const root = message?.thread_ts === message?.ts ? undefined : message?.thread_ts;
      const thread = container?.thread_ts ?? root;
      const session = thread === undefined ? room : threadSession(room, thread);
      const ask = async () => {
        const from = await directory.person(user.id, user.team_id);
        return inbox.press({
          room,
          from,
          action: actionOf(pressed.action_id),
          value: unescapeText(pressed.value ?? ""),
        });
      };
      await answer(ask, (view) => ephemeral(session, user.id, view));
    },
  };
}

/** Commands and clicks that may still come again. */
const MOST_TRIGGERS = 1_000;

/** Whether a command or a click has come before: over another connection, or because someone sends a signed request once more. */
function createTriggers(): (trigger: string | undefined) => boolean {
  const seen = new Set<string>();
  return (trigger) => {
    if (trigger === undefined) return false;
    if (seen.has(trigger)) return true;
    seen.add(trigger);
    const [oldest] = seen;
    if (oldest !== undefined && seen.size > MOST_TRIGGERS) seen.delete(oldest);
    return false;
  };
}

/** Where a message has the same action twice, a number behind it tells the buttons apart. */
function actionOf(id: string): string {
  return id.split(":", 2).join(":");
}
