import { checkBlocks } from "../block-rules.js";
import type { Draft } from "../model.js";
import { isRecord, type Json, Refusal, records, refuseArguments, textOf } from "../wire.js";
import { type Call, needScope } from "./method.js";

const LONGEST_TEXT = 40_000;
const LONGEST_MARKDOWN = 12_000;
const LARGEST_METADATA = 16_000;

/** What a message says, held against the limits. `longestText` differs between posting and updating. */
export function readContent(
  { args, world }: Call,
  longestText = LONGEST_TEXT,
): Pick<Draft, "text" | "blocks" | "attachments"> {
  const { mintId } = world.workspace;
  const text = args.text("text");
  const markdown = args.text("markdown_text");
  const given = args.list("blocks", "invalid_blocks_format");
  const attachments = records(args.list("attachments", "invalid_attachments"));
  if (markdown !== undefined) {
    if (text || given?.length) throw new Refusal("markdown_text_conflict");
    if (markdown.length > LONGEST_MARKDOWN) throw new Refusal("msg_too_long");
    if (markdown === "") throw new Refusal("no_text");
    return { text: markdown, blocks: checkBlocks([{ type: "markdown", text: markdown }], mintId) };
  }
  if ((text ?? "").length > longestText) throw new Refusal("msg_too_long");
  const blocks = given?.length ? checkBlocks(given, mintId) : undefined;
  if (!text?.trim() && !blocks && attachments.length === 0) throw new Refusal("no_text");
  return { text: text ?? fallback(blocks), blocks, ...(attachments.length > 0 ? { attachments } : {}) };
}

/** Slack makes a text of its own when there are only blocks. */
function fallback(blocks: readonly Json[] = []): string {
  return blocks
    .map((block) => (isRecord(block.text) ? textOf(block.text, "text") : textOf(block, "text")))
    .filter((part) => part !== undefined)
    .join(" ");
}

/** The name and picture that a post sets for itself, for which it needs a scope. */
export function readIdentity({ app, args }: Call): Pick<Draft, "username" | "icons"> {
  const username = args.text("username");
  const emoji = args.text("icon_emoji");
  const url = args.text("icon_url");
  if (username === undefined && emoji === undefined && url === undefined) return {};
  needScope(app, "chat:write.customize");
  if (emoji !== undefined && !/^:[^\s:]+:$/.test(emoji))
    throw refuseArguments("invalid_arguments", "must be an emoji code [json-pointer:/icon_emoji]");
  if (url !== undefined && !/^https:\/\/\S+$/.test(url))
    throw refuseArguments("invalid_arguments", "must be a valid URL [json-pointer:/icon_url]");
  const icons =
    emoji !== undefined ? { emoji } : url === undefined ? undefined : { image_36: url, image_48: url, image_72: url };
  return { username: username || undefined, icons };
}

/** The metadata of a post, with both of its parts. */
export function readMetadata({ args }: Call): Json | undefined {
  const metadata = args.object("metadata", "invalid_metadata_format");
  if (!metadata) return undefined;
  if (!textOf(metadata, "event_type") || !isRecord(metadata.event_payload))
    throw new Refusal("invalid_metadata_schema");
  if (JSON.stringify(metadata).length > LARGEST_METADATA) throw new Refusal("metadata_too_large");
  return metadata;
}

/** The thread that a post goes to; the time of a reply is no thread. */
export function readThread({ args, world }: Call, channelId: string): string | undefined {
  const threadTs = args.text("thread_ts") || undefined;
  const parent = world.workspace.channels.get(channelId)?.byTs.get(threadTs ?? "");
  if (parent?.threadTs !== undefined || parent?.isTombstone) throw new Refusal("cannot_reply_to_message");
  return threadTs;
}
