import type { Answer, Inbox, Logger, View } from "../../src/index.js";
import { threadSession } from "../../src/index.js";
import { isDirect, roomOfChannel } from "./inbound.js";
import { blockActions, slashCommand } from "./inbound-wire.js";
import type { Directory } from "./senders.js";
import { commandTextOf, peopleIn } from "./text-in.js";
import { unescapeText } from "./text-in-tokens.js";
import type { Workspace } from "./workspace.js";

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
}

const FAILED: View = { text: "That failed; the log has the details.", tone: "error" };

export function createAsks(options: AsksOptions): Asks {
  const { inbox, workspace, directory, logger, ephemeral, respond } = options;

  /** What the room sees is in the room already; the rest is for who asked. */
  async function answer(asked: () => Promise<Answer>, show: (view: View) => Promise<void>): Promise<void> {
    const { view, public: isPublic } = await asked().catch((error: unknown) => {
      logger.error({ error }, "what somebody asked for in Slack failed");
      return { view: FAILED, public: false };
    });
    if (isPublic) return;
    await show(view).catch((error: unknown) => logger.warn({ error }, "could not answer in Slack"));
  }

  async function namesIn(read: (people: (id: string) => string) => string): Promise<string> {
    const ids = [...peopleIn(read)];
    const found = await Promise.all(ids.map((id) => directory.find(id)));
    return read((id) => found[ids.indexOf(id)]?.name ?? id);
  }

  return {
    async command(body) {
      const parsed = slashCommand.safeParse(body);
      if (!parsed.success) return void logger.warn({}, "a command from Slack has not the form of one");
      const { command, text, channel_id: channel, user_id: user, team_id: team, response_url: url } = parsed.data;
      const session = roomOfChannel(workspace.teamId, channel);
      const ask = async () => {
        const [from, words] = await Promise.all([
          directory.person(user, team),
          namesIn((people) => commandTextOf(text, people, workspace)),
        ]);
        const direct = isDirect(channel) ? { direct: true } : {};
        return inbox.command({ session, from, text: `${command.slice(1)} ${words}`.trim(), ...direct });
      };
      await answer(ask, (view) => (url === undefined ? ephemeral(session, user, view) : respond(url, view)));
    },
    async press(body) {
      const parsed = blockActions.safeParse(body);
      const channel = parsed.data?.channel?.id ?? parsed.data?.container?.channel_id;
      const [pressed] = parsed.data?.actions ?? [];
      if (!parsed.success || channel === undefined || pressed === undefined)
        return void logger.warn({}, "a click from Slack has not the form of one");
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

/** Where a message has the same action twice, a number behind it tells the buttons apart. */
function actionOf(id: string): string {
  return id.split(":", 2).join(":");
}
