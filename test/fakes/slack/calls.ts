import { isRecord, type Json } from "./wire.js";

const TOKEN = /<(@[UW]\w+|!(?:here|channel|everyone)|!subteam\^\w+)(?:\|[^>]*)?>/g;

/** Who a text and its blocks call: `@U1`, `!channel`, `!subteam^S1`. Slack reads the tokens in Markdown too. */
export function callsIn(text: string, blocks: readonly Json[] = []): readonly string[] {
  const spoken = [text, ...blocks.flatMap(strings)].join("\n");
  const tokens = [...spoken.matchAll(TOKEN)].map(([, token]) => token ?? "");
  return [...new Set([...tokens, ...blocks.flatMap(leaves)])];
}

/** What stands in a block to be read; ids and values are not read. */
function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, held]) => (/^(value|url|.*_id)$/.test(name) ? [] : strings(held)));
}

/** The elements of rich text that call someone. */
function leaves(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (!isRecord(value)) return [];
  if (value.type === "user") return [`@${value.user_id}`];
  if (value.type === "broadcast") return [`!${value.range}`];
  if (value.type === "usergroup") return [`!subteam^${value.usergroup_id}`];
  return Object.values(value).flatMap(leaves);
}
