import { ZERO_WIDTH_SPACE } from "../../shared/zero-width.js";
import { findNodes, type Range, type Root, rangeOf } from "./format-markdown.js";

/** Slack's own mass mentions written as words; a path, an address or a longer name (`x/@here`, `ops@here.example`, `@here-bot`) is none. */
const MASS = /(?<![\w@/])@(?=(?:channel|here|everyone|group)(?!\w|-\w))/gi;

/** Parts the `@` from the words that call everybody; every other name stays as it is. */
export function calmMentions(text: string): string {
  return text.replace(MASS, `@${ZERO_WIDTH_SPACE}`);
}

/** Writes out the three characters from which Slack makes tokens, in texts of its own format. */
export function escapeEntities(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Words of ours or of a person for a place where Slack reads its own format: they call nobody and are no link. */
export function escapeWords(text: string): string {
  return calmMentions(escapeEntities(text));
}

/** A text for a place where nothing is read as a token: a name, a button. */
export function plainWords(text: string): string {
  return calmMentions(text).replaceAll("<", "‹").replaceAll(">", "›");
}

/**
 * Markdown that calls nobody: Slack reads its tokens (`<!channel>`, `<@U1>`, `<https://a|b>`) inside Markdown too, so no `<`
 * is left outside of code, and none in code that could begin a call. `&` stays, since addresses need it.
 */
export function neutraliseMarkdown(source: string, root: Root): string {
  if (!/[<@]/.test(source)) return source;
  const special = findNodes(
    root,
    (node) => node.type === "code" || node.type === "inlineCode" || isBracketedLink(source, node),
  );
  let out = "";
  let at = 0;
  for (const node of special) {
    const range = rangeOf(node);
    out += neutralWords(source.slice(at, range.start)) + neutralSpecial(source, range, node.type === "link");
    at = range.end;
  }
  return out + neutralWords(source.slice(at));
}

/** `<https://…>`: the brackets go, the address links by itself. */
function isBracketedLink(source: string, node: Parameters<typeof rangeOf>[0]): boolean {
  return node.type === "link" && source[rangeOf(node).start] === "<";
}

function neutralSpecial(source: string, { start, end }: Range, isLink: boolean): string {
  return isLink
    ? calmMentions(source.slice(start + 1, end - 1))
    : source.slice(start, end).replace(/<(?=[@#!])/g, "&lt;");
}

function neutralWords(text: string): string {
  // A backslash before the bracket would now be one before the entity.
  const escaped = text.replace(/(?<!\\)(\\*)</g, (_, slashes: string) => `${slashes.slice(slashes.length % 2)}&lt;`);
  return calmMentions(escaped);
}
