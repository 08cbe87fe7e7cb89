/** NUL and the other C0 controls, except tab and newline; DEL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** With the `u` flag a surrogate that belongs to a pair is never seen as one. */
const LONE_SURROGATES = /\p{Cs}/gu;

/** Marks, embeddings, overrides and isolates: they change the order in which text is shown. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** What no name may hold: control, format and separator characters other than the space, and half characters. */
const UNFIT_FOR_NAMES = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Text as it enters the log: line ends are `\n`, NUL and the C0 controls but tab and newline are dropped, a lone
 * surrogate becomes U+FFFD. Bidi controls stay; the places that show text escape them. Idempotent.
 */
export function cleanInbound(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(CONTROLS, "").replace(LONE_SURROGATES, "\u{fffd}");
}

/** The text with bidi controls written out, as in `⟨U+202E⟩`, so that what is shown is what is there. */
export function escapeBidi(text: string): string {
  return text.replace(BIDI, (control) => `⟨U+${codeOf(control)}⟩`);
}

/** Whether a name holds characters that cannot be seen or that reorder text; configuration refuses such names. */
export function hasBidiOrControl(name: string): boolean {
  return UNFIT_FOR_NAMES.test(name);
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
}
