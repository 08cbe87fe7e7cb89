import { checkBlocks } from "./block-rules.js";
import type { Board } from "./board.js";
import type { Ephemeral, SlackApp, SlackChannel } from "./model.js";
import { type Json, Refusal, textOf } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** One `response_url`: for whom it was given out, and what has come to it. */
export interface ResponseUrl {
  readonly url: string;
  readonly uses: readonly Json[];
}

/** Where an interaction came from, which is where its answers go. */
export interface Origin {
  readonly app: SlackApp;
  readonly channel: SlackChannel;
  readonly userId: string;
  readonly threadTs?: string | undefined;
  /** The message that was acted on. */
  readonly messageTs?: string | undefined;
}

export interface ResponseUrls {
  give(origin: Origin): ResponseUrl;
  /** An answer that came to such an address; refuses what is used up, too old or malformed. */
  receive(id: string, body: Json): void;
  /** An answer that came with the acknowledgement. */
  answer(origin: Origin, body: Json): void;
}

const MOST_USES = 5;
const GOOD_FOR_MS = 30 * 60_000;

export function createResponseUrls(workspace: Workspace, board: () => Board, url: () => string): ResponseUrls {
  const given = new Map<string, { readonly origin: Origin; readonly until: number; readonly uses: Json[] }>();

  function answer(origin: Origin, body: Json): void {
    const original = originalOf(board(), origin);
    const text = textOf(body, "text") ?? "";
    const blocks = Array.isArray(body.blocks) ? checkBlocks(body.blocks, workspace.mintId) : undefined;
    if (body.delete_original === true) original.remove();
    else if (text === "" && !blocks) throw new Refusal("no_text");
    else if (body.replace_original === true) original.replace(text, blocks);
    else say(origin, { text, blocks, threadTs: textOf(body, "thread_ts") ?? origin.threadTs }, body.response_type);
  }

  function say(origin: Origin, said: Pick<Ephemeral, "text" | "blocks" | "threadTs">, type: unknown): void {
    const { app, channel, userId } = origin;
    const look = { app, channelId: channel.id, userId, username: undefined, icons: undefined };
    if (type === "in_channel") board().post(channel, { app, ...said });
    else board().ephemerals.push({ ...look, ...said, ts: workspace.mintTs() });
  }

  return {
    give(origin) {
      const id = workspace.mintId("response");
      const uses: Json[] = [];
      given.set(id, { origin, until: workspace.clock.now() + GOOD_FOR_MS, uses });
      return { url: `${url()}/response/${id}`, uses };
    },
    receive(id, body) {
      const standing = given.get(id);
      if (!standing || workspace.clock.now() > standing.until) throw new Refusal("expired_url");
      if (standing.uses.length >= MOST_USES) throw new Refusal("used_url");
      standing.uses.push(body);
      answer(standing.origin, body);
    },
    answer,
  };
}

/** The message that was acted on, whether everyone sees it or one person. */
function originalOf(board: Board, { channel, messageTs, app }: Origin) {
  const shown = board.ephemerals.find((it) => it.ts === messageTs && it.channelId === channel.id);
  if (shown)
    return {
      remove: () => void board.ephemerals.splice(board.ephemerals.indexOf(shown), 1),
      replace(text: string, blocks: readonly Json[] | undefined) {
        shown.text = text;
        shown.blocks = blocks;
      },
    };
  const message = () => board.find(channel, messageTs ?? "");
  return {
    remove: () => void board.remove(channel, message()),
    replace(text: string, blocks: readonly Json[] | undefined) {
      board.edit(channel, message(), { text, blocks: blocks ?? null, by: blocks ? undefined : app.userId });
    },
  };
}
