import type { ConfigProblem } from "./problem.js";

/** A Markdown file taken apart: the YAML between the first two `---` lines, and the text below. */
export interface FrontMatterParts {
  readonly yaml: string;
  /** Lines of the file before the YAML. */
  readonly lineOffset: number;
  readonly body: string;
}

/** Parsing takes time by the square of the number of keys, and files are read again while the service runs. */
const MAX_LENGTH = 64 * 1024;
const OPENING = /^---[ \t]*(?:\r?\n|$)/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*\r?$/m;

/** Splits a Markdown file, or says what keeps it from being split. */
export function splitFrontMatter(text: string, file: string): FrontMatterParts | ConfigProblem {
  const opening = OPENING.exec(text)?.[0];
  const place = { file, line: 1, column: 1, severity: "error" } as const;
  if (opening === undefined) {
    return {
      ...place,
      message: "has no front matter",
      mend: "begin the file with a line ---, then name: NAME, then a line ---",
    };
  }
  const rest = text.slice(opening.length);
  const closing = CLOSING.exec(rest);
  if (closing === null) return { ...place, message: "the front matter is not closed", mend: "put a line --- below it" };
  if (closing.index > MAX_LENGTH)
    return { ...place, message: "the front matter is longer than 64 KiB", mend: "shorten it" };
  return { yaml: rest.slice(0, closing.index), lineOffset: 1, body: rest.slice(closing.index + closing[0].length) };
}

/**
 * Other agent tools read `description: Use it when: …` as plain text, which YAML does not. Puts such a description in quotes;
 * `undefined` when there is none.
 */
export function quoteDescription(yaml: string): string | undefined {
  const match = /^(description:[ \t]+)([^\s"'|>&*!#[{][^\r\n]*)/m.exec(yaml);
  const [whole, key, value] = match ?? [];
  if (match === null || whole === undefined || value === undefined) return undefined;
  return `${yaml.slice(0, match.index)}${key}${JSON.stringify(value)}${yaml.slice(match.index + whole.length)}`;
}
