import { neutralise, outsideCode } from "./neutralise.js";

const LINK = /(!?)\[([^\]\n]*)\]\(<?(https?:\/\/[^\s()<>]+)>?\)/g;
/** Discord has three levels. */
const DEEP_HEADING = /^#{4,6} +(.+?) *#*$/gm;

/** A Markdown text in Discord's dialect, which calls nobody. Formatting it again changes nothing. */
export function formatText(text: string): string {
  const shaped = /\]\(|^####/m.test(text) ? outsideCode(text, dialect) : text;
  return neutralise(shaped);
}

function dialect(words: string): string {
  return words.replace(LINK, link).replace(DEEP_HEADING, "**$1**");
}

/** A link that shows its own address is not read as one; a picture cannot be shown among words. */
function link(whole: string, image: string, label: string, url: string): string {
  if (label === "" || label.replace(/\/$/, "") === url.replace(/\/$/, "")) return url;
  return image === "" ? whole : `[${label}](${url})`;
}
