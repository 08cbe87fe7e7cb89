import type { Problems } from "./problems.js";
import { isRecord, type Json, records, textOf } from "./wire.js";

/** Finds what Discord refuses about the embeds of a message. */
export function checkEmbeds(embeds: readonly Json[], problems: Problems): void {
  if (embeds.length > 10) problems.add("embeds", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.");
  let total = 0;
  embeds.forEach((embed, index) => {
    for (const { path, text, most } of textsOf(embed, `embeds.${index}`)) {
      problems.length(path, text, most);
      total += text.length;
    }
    if (records(embed.fields).length > 25) {
      problems.add(`embeds.${index}.fields`, "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.");
    }
  });
  if (total > 6000) problems.add("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000");
}

interface Measured {
  readonly path: string;
  readonly text: string;
  readonly most: number;
}

function textsOf(embed: Json, path: string): readonly Measured[] {
  const one = (holder: unknown, name: string, at: string, most: number): readonly Measured[] => {
    const text = isRecord(holder) ? textOf(holder, name) : undefined;
    return text === undefined ? [] : [{ path: `${path}.${at}`, text, most }];
  };
  return [
    ...one(embed, "title", "title", 256),
    ...one(embed, "description", "description", 4096),
    ...one(embed.footer, "text", "footer.text", 2048),
    ...one(embed.author, "name", "author.name", 256),
    ...records(embed.fields).flatMap((field, index) => [
      ...one(field, "name", `fields.${index}.name`, 256),
      ...one(field, "value", `fields.${index}.value`, 1024),
    ]),
  ];
}
