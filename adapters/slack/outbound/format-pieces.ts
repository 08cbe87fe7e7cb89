import { splitMarkdown } from "../../shared/split/split.js";
import { toMrkdwn } from "./format-mrkdwn.js";

/** Few characters still make some sense on their own. */
const SHORTEST = 50;

/** Markdown in Slack's older format, in pieces of at most `longest` characters; at least one, never an empty one. */
export function mrkdwnPieces(markdown: string, longest: number): readonly string[] {
  const pieces = piecesOf(markdown, longest, Math.floor(longest * 0.95));
  return pieces.length > 0 ? pieces : ["…"];
}

function piecesOf(markdown: string, longest: number, most: number): readonly string[] {
  return splitMarkdown(markdown, { weigh, most }).flatMap((part) => {
    const piece = toMrkdwn(part);
    if (piece.trim() === "") return [];
    if (piece.length <= longest) return [piece];
    // Marks, addresses and the rules of tables make a text longer than it was: then it is cut finer, by as much.
    const finer = Math.floor(Math.min(most / 2, (most * longest) / piece.length));
    return finer > SHORTEST ? piecesOf(part, longest, finer) : cutAnywhere(piece, longest);
  });
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
