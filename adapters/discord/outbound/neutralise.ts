import { ZERO_WIDTH_SPACE } from "../../shared/zero-width.js";

/** Code as Discord sees it: between two equal runs of backticks, over lines too. */
const CODE = /(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g;

/** Words that call everybody; an address (`ops@here.example`, `https://host/@here`) is none. */
const MASS = /(?<!\/)@(?=everyone|here)(?!(?<=\w@)here\.\w)/gi;

/** Tokens that would show a person, a role, a command or a page of the server. Of a channel, a time and an emoji they harm nobody. */
const TOKEN = /<(?=@[!&]?\d|id:|\/[^\n>]{1,100}:\d)/g;

/** Changes what is not code. */
export function outsideCode(text: string, change: (words: string) => string): string {
  let out = "";
  let at = 0;
  for (const { 0: code, index } of text.matchAll(CODE)) {
    out += change(text.slice(at, index)) + code;
    at = index + code.length;
  }
  return out + change(text.slice(at));
}

/** Words that call nobody, not even by their looks. In code they would not do so anyway. */
export function neutralise(text: string): string {
  if (!/[<@]/.test(text)) return text;
  return outsideCode(text, (words) =>
    words.replace(MASS, `@${ZERO_WIDTH_SPACE}`).replace(TOKEN, `<${ZERO_WIDTH_SPACE}`),
  );
}

/** Words for a place where Discord reads Markdown: they are shown as they stand. */
export function plainWords(text: string): string {
  return text.replace(/[\\*_~`|]/g, "\\$&");
}
