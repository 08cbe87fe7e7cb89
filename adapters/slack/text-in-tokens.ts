/** What the ids in a message stand for. */
export interface Names {
  /** A person's name as it may stand in a text; never read as a mention. */
  person(id: string): string;
  /** The label that a token gives its channel or user group. */
  label(id: string): string | undefined;
  /** Our own bot users: `@name` as it wakes. */
  own(id: string): string | undefined;
}

/** `<…>`, as Slack marks what is not plain text. */
const TOKEN = /<([^<>\n]+)>/g;

/** Slack's plain text with its tokens as what they show, and nothing escaped. Mentions stand apart from the words around them. */
export function plainTokens(text: string, names: Names): string {
  const shown = text.replace(TOKEN, (whole: string, token: string, at: number) => {
    const mention = token.startsWith("@") && names.own(targetOf(token).slice(1));
    if (!mention) return tokenText(token, names);
    const end = at + whole.length;
    return `${sticks(text.slice(0, at)) ? " " : ""}${mention}${goesOn(text.slice(end, end + 2)) ? " " : ""}`;
  });
  return unescapeText(shown);
}

/** Whether an `@` right behind this text would be no mention. */
export function sticks(before: string): boolean {
  return /[\p{L}\p{N}\p{M}_./@\\-]$/u.test(before.slice(-2));
}

/** Whether this text right behind a name would belong to the name. */
export function goesOn(after: string): boolean {
  return /^[\p{L}\p{N}\p{M}_-]/u.test(after);
}

/** One token of Slack's plain text as Markdown. */
function tokenText(token: string, names: Names): string {
  const target = targetOf(token);
  const label = token.slice(target.length + 1);
  if (target.startsWith("@")) return names.person(target.slice(1));
  if (target.startsWith("#")) return `#${harmless(label) || target.slice(1)}`;
  if (target.startsWith("!subteam^")) return harmless(label) || target.slice("!subteam^".length);
  if (target.startsWith("!date^")) return harmless(label);
  if (target.startsWith("!")) return `@${target.slice(1)}`;
  return linkText(target, label);
}

function targetOf(token: string): string {
  return token.split("|", 1)[0] ?? "";
}

/** A link as Markdown; the bare address where it has no other label. */
export function linkText(url: string, label: string): string {
  const address = url.replace(/^mailto:/, "");
  if (label === "" || label === url || label === address) return address;
  return `[${label.replace(/[[\]]/g, "\\$&")}](${url})`;
}

/** Undoes Slack's escaping of the three characters that it uses itself, once. */
export function unescapeText(text: string): string {
  return text.replace(/&(lt|gt|amp);/g, (_, name: string) => (name === "lt" ? "<" : name === "gt" ? ">" : "&"));
}

/** A name without the characters by which it could be read as a mention or as markup. */
export function harmless(name: string): string {
  return name
    .replace(/[@`\\<>[\]*_~\n]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
