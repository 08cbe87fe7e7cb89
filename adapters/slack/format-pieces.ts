import { toMrkdwn } from "./format-mrkdwn.js";
import { splitMarkdown } from "./split.js";

/** Few characters still make some sense on their own. */
const SHORTEST = 50;

/** Markdown in Slack's older format, in pieces of at most `longest` characters; at least one, never an empty one. */
export function mrkdwnPieces(markdown: string, longest: number): readonly string[] {
  // Marks, addresses and the rules of tables make a text longer than it was: then the next try cuts finer.
  for (let most = Math.floor(longest * 0.95); most > SHORTEST; most = Math.floor(most / 2)) {
    const pieces = piecesOf(markdown, most);
    if (pieces.every((piece) => piece.length <= longest)) return pieces;
  }
  return piecesOf(markdown, SHORTEST).flatMap((piece) => cutAnywhere(piece, longest));
}

function piecesOf(markdown: string, most: number): readonly string[] {
  const pieces = splitMarkdown(markdown, { weigh, most }).map(toMrkdwn);
  const shown = pieces.filter((piece) => piece.trim() !== "");
  return shown.length > 0 ? shown : ["…"];
}

/** Three characters are written out as entities. */
function weigh(code: number): number {
  return code === AMPERSAND ? "&amp;".length : code === LESS_THAN || code === GREATER_THAN ? "&lt;".length : 1;
}

const [AMPERSAND, LESS_THAN, GREATER_THAN] = [38, 60, 62];

function cutAnywhere(text: string, longest: number): readonly string[] {
  return text.match(new RegExp(`[^]{1,${longest - 1}}`, "gu")) ?? [text];
}

/** The begin of a text that may be cut off, since the whole of it stands elsewhere. */
export function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${cutAnywhere(text, longest - 1)[0] ?? ""}…`;
}
