/** Case 30: everything that a model writes as Markdown and a platform may show raw. */
export const RICH_TEXT = [
  "# Title",
  "**重要**です [t](https://u.example/x)",
  "| a | b |\n| - | - |\n| 1 | 2 |",
  "`a ** b`",
  "```\n**raw** [x](y)\n```",
  "END",
].join("\n\n");

/** A text of about so many characters whose conclusion is at its end. */
export function longStory(characters: number): string {
  const sentences = Array.from({ length: Math.ceil(characters / 33) }, (_, i) => `Sentence ${i} of the story goes on.`);
  return `${sentences.join(" ")} END`;
}
