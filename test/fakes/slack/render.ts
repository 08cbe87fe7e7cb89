import { readMarkdown } from "./markdown.js";
import { isRecord, type Json, records, textOf, unescapeText } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** What people see of a message: the blocks if it has some, else the text; tokens as names, entities read back. */
export function readMessage(text: string, blocks: readonly Json[] | undefined, workspace: Workspace): string {
  if (!blocks?.length) return readTokens(text, workspace);
  return blocks.map((block) => readBlock(block, workspace)).join("\n");
}

function readBlock(block: Json, workspace: Workspace): string {
  switch (textOf(block, "type")) {
    case "markdown":
      // Tokens first: an entity in Markdown is never read as part of one.
      return readMarkdown(nameTokens(textOf(block, "text") ?? "", workspace));
    case "rich_text":
      return records(block.elements)
        .map((element) => readRichText(element, workspace))
        .join("\n");
    case "divider":
      return "---";
    case "actions":
      return records(block.elements)
        .map((element) => `[${readText(element.text, workspace)}]`)
        .join(" ");
    case "context":
      return records(block.elements)
        .map((element) => readText(element, workspace))
        .join(" ");
    case "image":
      return textOf(block, "alt_text") ?? "";
    default: {
      const parts = [block.text, ...records(block.fields)].filter(isRecord).map((part) => readText(part, workspace));
      const accessory =
        isRecord(block.accessory) && block.accessory.type === "button" ? block.accessory.text : undefined;
      return [...parts, ...(accessory ? [`[${readText(accessory, workspace)}]`] : [])].join("\n");
    }
  }
}

/** A text object: only mrkdwn has tokens. */
function readText(value: unknown, workspace: Workspace): string {
  if (!isRecord(value)) return "";
  const text = textOf(value, "text") ?? "";
  return value.type === "mrkdwn" ? readTokens(text, workspace) : text;
}

function readRichText(element: Json, workspace: Workspace): string {
  const inner = records(element.elements)
    .map((leaf) => readLeaf(leaf, workspace))
    .join("");
  if (element.type === "rich_text_quote") return inner.replace(/^/gm, "> ");
  if (element.type === "rich_text_preformatted") return `\`\`\`\n${inner}\n\`\`\``;
  return inner;
}

function readLeaf(leaf: Json, workspace: Workspace): string {
  switch (textOf(leaf, "type")) {
    case "user":
      return nameOf(`@${leaf.user_id}`, undefined, workspace);
    case "channel":
      return nameOf(`#${leaf.channel_id}`, undefined, workspace);
    case "usergroup":
      return nameOf(`!subteam^${leaf.usergroup_id}`, undefined, workspace);
    case "broadcast":
      return `@${leaf.range}`;
    case "emoji":
      return `:${leaf.name}:`;
    case "link":
      return textOf(leaf, "text") ?? String(leaf.url);
    case "rich_text_section":
      return readRichText(leaf, workspace);
    default: {
      const text = textOf(leaf, "text") ?? "";
      return isRecord(leaf.style) && leaf.style.code === true ? `\`${text}\`` : text;
    }
  }
}

function readTokens(text: string, workspace: Workspace): string {
  return unescapeText(nameTokens(text, workspace, (url, label) => label ?? url));
}

/** Puts names for the tokens; links stay as they are, for Markdown to read, unless it is said how to read them. */
function nameTokens(
  text: string,
  workspace: Workspace,
  link?: (url: string, label: string | undefined) => string,
): string {
  const token = /<([@#!]?)([^<>|\n]+)(?:\|([^<>\n]*))?>/g;
  return text.replaceAll(token, (whole, sign: string, id: string, label: string | undefined) => {
    if (sign !== "") return nameOf(`${sign}${id}`, label, workspace);
    return link && /^(https?|mailto):/.test(id) ? link(id, label) : whole;
  });
}

/** The name that stands for a token. */
function nameOf(token: string, label: string | undefined, workspace: Workspace): string {
  const id = token.slice(1);
  if (token.startsWith("@")) return `@${workspace.users.get(id)?.displayName ?? label ?? id}`;
  if (token.startsWith("#")) return `#${workspace.channels.get(id)?.name ?? label ?? id}`;
  if (!id.startsWith("subteam^")) return label ?? `@${id}`;
  const group = [...workspace.userGroups].find(([, groupId]) => groupId === id.slice("subteam^".length));
  return label ?? `@${group?.[0] ?? id}`;
}
