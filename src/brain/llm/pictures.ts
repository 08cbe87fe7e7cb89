import type { ImagePart, TextPart } from "ai";
import type { FileRef } from "../../domain/entry.js";
import type { Turn } from "../../ports/brain.js";
import type { Logger } from "../../ports/logger.js";
import { untilAborted } from "../turn-run.js";
import { inHeader } from "./envelope.js";

/** What every provider takes: Anthropic's limit of 5 MB is on the picture as base64 text. */
const MOST_BYTES = 3_700_000;
/** Of one message together: the smallest limit of a whole request is 20 MB, as base64 text. */
const MOST_TOGETHER = 12_000_000;
const MOST_PICTURES = 4;

/** Media types that all providers take. */
const TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"]);

/** What a turn shows besides texts, with a line of the room in front; empty where there is nothing to show. */
export type Pictures = readonly (TextPart | ImagePart)[];

/**
 * The pictures that came with the waking message, as far as they can be had and are not too large. All other files are only named.
 * Never rejects but for the signal: an answer without the picture is better than none.
 */
export async function picturesOf(turn: Turn, logger: Logger, signal: AbortSignal): Promise<Pictures> {
  const files = turn.waking.kind === "message" ? (turn.waking.files ?? []) : [];
  const candidates = files.filter(({ type, size }) => TYPES.has(type.toLowerCase()) && size <= MOST_BYTES);
  const shown: { readonly name: string; readonly part: ImagePart }[] = [];
  let left = MOST_TOGETHER;
  for (const file of candidates.slice(0, MOST_PICTURES)) {
    const bytes = await load(turn, file, { most: Math.min(MOST_BYTES, left), logger, signal });
    const mediaType = bytes && typeOf(bytes);
    if (bytes === undefined || mediaType === undefined) continue;
    left -= bytes.byteLength;
    shown.push({ name: inHeader(file.name), part: { type: "image", image: bytes, mediaType } });
  }
  if (shown.length === 0) return [];
  const names = shown.map(({ name }) => name).join(", ");
  const line: TextPart = { type: "text", text: `[room] What follows is what that message shows: ${names}.` };
  return [line, ...shown.map(({ part }) => part)];
}

interface LoadOptions {
  readonly most: number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

async function load(turn: Turn, file: FileRef, { most, logger, signal }: LoadOptions): Promise<Uint8Array | undefined> {
  if (file.size > most) return undefined;
  try {
    const bytes = await untilAborted(turn.load(file, most), signal);
    return bytes === undefined || bytes.byteLength > most ? undefined : bytes;
  } catch (error) {
    signal.throwIfAborted();
    logger.warn({ persona: turn.persona.name, session: turn.session, error }, "a picture could not be loaded");
    return undefined;
  }
}

const STARTS: readonly (readonly [type: string, bytes: string, at?: number])[] = [
  ["image/png", "\x89PNG"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF8"],
  ["image/webp", "WEBP", 8],
];

/** What the bytes are, whatever the file is called: a provider refuses the whole request where the two differ. */
function typeOf(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return STARTS.find(([, start, at = 0]) => head.startsWith(start, at))?.[0];
}
