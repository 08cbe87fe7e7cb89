/** The characters that change the direction of what follows them: a text could lie with them about what it says. */
const BIDI_CONTROL = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** The text with direction controls written out as `\u202E`, so that they are seen and do nothing. */
export function showBidi(text: string): string {
  return text.replace(BIDI_CONTROL, (found) => `\\u${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
}
