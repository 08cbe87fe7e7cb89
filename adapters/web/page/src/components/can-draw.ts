const SIZE = 24;
/** Never assigned: every font draws it as its box for the unknown. */
const NOBODY = "\u{10FFFE}";

const known = new Map<string, boolean>();

/** The picture that a character makes, or `undefined` where pictures cannot be read back. */
function drawn(character: string): string | undefined {
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (pen === null) return undefined;
  pen.font = `${SIZE - 6}px system-ui, sans-serif`;
  pen.textBaseline = "top";
  pen.fillText(character, 0, 0);
  return pen.getImageData(0, 0, SIZE, SIZE).data.join();
}

/** Whether this system has a picture for the emoji, and not only the box that stands for any unknown character. */
export function canDraw(emoji: string): boolean {
  const found = known.get(emoji);
  if (found !== undefined) return found;
  const first = String.fromCodePoint(emoji.codePointAt(0) ?? 0);
  const picture = drawn(first);
  const isDrawn = picture === undefined || picture !== drawn(NOBODY);
  known.set(emoji, isDrawn);
  return isDrawn;
}
