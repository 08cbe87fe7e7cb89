import { escapeText, type Json } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** A message as the composer sends it: escaped text with tokens, and the rich text that people see. */
export interface Composed {
  readonly text: string;
  readonly blocks: readonly Json[];
}

interface Piece {
  readonly wire: string;
  readonly leaf: Json;
}

type Style = Readonly<Record<string, boolean>>;

/**
 * Turns what a person types into what Slack's composer sends. `@name` of a member, app or user group, `@here` and `#channel` become
 * tokens, as autocompletion makes them; any other `@name` stays text. Tokens that are typed out outside code are taken as they are.
 */
export function compose(typed: string, workspace: Workspace): Composed {
  const sections = sectionsOf(typed).map((section) => composeSection(section, workspace));
  return {
    text: sections.map((section) => section.text).join("\n"),
    blocks: [
      { type: "rich_text", block_id: workspace.mintId("b"), elements: sections.map((section) => section.element) },
    ],
  };
}

interface Section {
  readonly kind: "section" | "quote" | "preformatted";
  readonly lines: string[];
}

function sectionsOf(typed: string): readonly Section[] {
  const sections: Section[] = [];
  let isInFence = false;
  for (const line of typed.split("\n")) {
    if (/^```\w*$/.test(line)) {
      isInFence = !isInFence;
      if (isInFence) sections.push({ kind: "preformatted", lines: [] });
      continue;
    }
    const kind = isInFence ? "preformatted" : /^>\s?/.test(line) ? "quote" : "section";
    const last = sections.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else sections.push({ kind, lines: [line] });
  }
  return sections;
}

function composeSection({ kind, lines }: Section, workspace: Workspace): { text: string; element: Json } {
  if (kind === "preformatted") {
    const code = lines.join("\n");
    const element = { type: "rich_text_preformatted", elements: [{ type: "text", text: code }], border: 0 };
    return { text: `\`\`\`${escapeText(code)}\`\`\``, element };
  }
  const bare = kind === "quote" ? lines.map((line) => line.replace(/^>\s?/, "")) : lines;
  const pieces = inline(bare.join("\n"), {}, workspace);
  const text = pieces.map((piece) => piece.wire).join("");
  return {
    text:
      kind === "quote"
        ? text
            .split("\n")
            .map((line) => `&gt; ${line}`)
            .join("\n")
        : text,
    element: { type: `rich_text_${kind}`, elements: pieces.map((piece) => piece.leaf) },
  };
}

const INLINE = new RegExp(
  [
    "`(?<code>[^`\\n]+)`",
    "<(?<token>[@#!][^<>\\s|]+)(?:\\|[^<>]*)?>",
    "(?<url>https?://[^\\s<>|]*[^\\s<>|.,!?:;)'\"*_])",
    "(?<mail>[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+)",
    "(?<![\\w@/.-])@(?<name>[\\w.-]*\\w)",
    "(?<![\\w#])#(?<channel>[\\w-]+)",
    "(?<!\\w):(?<emoji>[a-z0-9_+-]+):",
    "(?<![\\w*])\\*(?<bold>\\S(?:[^*\\n]*\\S)?)\\*(?![\\w*])",
    "(?<![\\w_])_(?<italic>\\S(?:[^_\\n]*\\S)?)_(?![\\w_])",
    "(?<![\\w~])~(?<strike>\\S(?:[^~\\n]*\\S)?)~(?![\\w~])",
  ].join("|"),
  "g",
);

function inline(text: string, style: Style, workspace: Workspace): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) pieces.push(plain(text.slice(from, match.index), style));
    pieces.push(...piecesOf(match[0], match.groups ?? {}, style, workspace));
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push(plain(text.slice(from), style));
  return pieces.reduce<readonly Piece[]>(join, []);
}

/** Texts of one style next to each other are one leaf. */
function join(pieces: readonly Piece[], next: Piece): readonly Piece[] {
  const last = pieces.at(-1);
  const styleOf = ({ leaf }: Piece) => JSON.stringify([leaf.type, leaf.style]);
  if (last?.leaf.type !== "text" || styleOf(last) !== styleOf(next)) return [...pieces, next];
  const leaf = { ...next.leaf, text: `${last.leaf.text}${next.leaf.text}` };
  return [...pieces.slice(0, -1), { wire: last.wire + next.wire, leaf }];
}

function plain(text: string, style: Style): Piece {
  const isStyled = Object.keys(style).length > 0;
  return { wire: escapeText(text), leaf: { type: "text", text, ...(isStyled ? { style } : {}) } };
}

const MARKS: Readonly<Record<string, string>> = { bold: "*", italic: "_", strike: "~" };

type Groups = Readonly<Record<string, string | undefined>>;

function piecesOf(whole: string, groups: Groups, style: Style, workspace: Workspace): readonly Piece[] {
  const { code, token, url, mail, name, channel, emoji } = groups;
  if (code) return [{ ...plain(code, { ...style, code: true }), wire: `\`${escapeText(code)}\`` }];
  if (token) return [tokenPiece(token, whole)];
  if (url) return [{ wire: `<${escapeText(url)}>`, leaf: { type: "link", url } }];
  if (mail) return [{ wire: `<mailto:${mail}|${mail}>`, leaf: { type: "link", url: `mailto:${mail}`, text: mail } }];
  if (name) return [calledPiece(name, workspace) ?? plain(whole, style)];
  if (channel) return [channelPiece(channel, workspace) ?? plain(whole, style)];
  if (emoji) return [{ wire: whole, leaf: { type: "emoji", name: emoji } }];
  for (const [styled, mark] of Object.entries(MARKS)) {
    const inner = groups[styled];
    if (inner) return marked(inline(inner, { ...style, [styled]: true }, workspace), mark);
  }
  return [plain(whole, style)];
}

/** The marks stand in the text only; in rich text the leaves bear the style. */
function marked(pieces: readonly Piece[], mark: string): readonly Piece[] {
  return pieces.map((piece, index) => ({
    leaf: piece.leaf,
    wire: `${index === 0 ? mark : ""}${piece.wire}${index === pieces.length - 1 ? mark : ""}`,
  }));
}

function tokenPiece(token: string, wire: string): Piece {
  const [sign, rest] = [token[0], token.slice(1)];
  if (sign === "@") return { wire, leaf: { type: "user", user_id: rest } };
  if (sign === "#") return { wire, leaf: { type: "channel", channel_id: rest } };
  if (rest.startsWith("subteam^")) return { wire, leaf: { type: "usergroup", usergroup_id: rest.slice(8) } };
  return { wire, leaf: { type: "broadcast", range: rest } };
}

function calledPiece(name: string, workspace: Workspace): Piece | undefined {
  if (["here", "channel", "everyone"].includes(name)) return tokenPiece(`!${name}`, `<!${name}>`);
  const groupId = workspace.userGroups.get(name);
  if (groupId) return tokenPiece(`!subteam^${groupId}`, `<!subteam^${groupId}|@${name}>`);
  const user = workspace.findUser(name);
  return user && tokenPiece(`@${user.id}`, `<@${user.id}>`);
}

function channelPiece(name: string, workspace: Workspace): Piece | undefined {
  const channel = workspace.findChannel(name);
  return channel && tokenPiece(`#${channel.id}`, `<#${channel.id}|${channel.name}>`);
}
