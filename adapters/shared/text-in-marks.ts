/** Code in a line, whatever backticks are in it. */
export function codeSpan(code: string): string {
  const mark = "`".repeat(longestTicks(code) + 1);
  const pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
  return `${mark}${pad}${code}${pad}${mark}`;
}

/** A block of code, whatever backticks are in it. */
export function fenced(code: string): string {
  const mark = "`".repeat(Math.max(3, longestTicks(code) + 1));
  return `${mark}\n${code.replace(/\n$/, "")}\n${mark}`;
}

/** Lines as a quote. */
export function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

function longestTicks(text: string): number {
  let longest = 0;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  return longest;
}
