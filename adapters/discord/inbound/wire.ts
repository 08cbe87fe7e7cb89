import * as z from "zod";

/** A field that may be missing or null, and counts as missing when it is not what it should be. */
const text = z.string().optional().catch(undefined);
const id = z.string().regex(/^\d{1,20}$/);
const oneId = id.optional().catch(undefined);
const texts = z.array(z.string()).default([]).catch([]);
const flag = z.boolean().default(false).catch(false);

const user = z.object({
  id,
  username: z.string().default("").catch(""),
  global_name: text,
  bot: flag,
  system: flag,
});

/** An attachment of a message. */
const attachment = z.object({
  id,
  filename: text,
  title: text,
  content_type: text,
  size: z.number().default(0).catch(0),
});

const attachments = z.array(attachment).default([]).catch([]);

/** What a message forwards: another message as it was then. */
const snapshot = z.object({
  message: z.object({ content: z.string().default("").catch(""), attachments }),
});

/** A message as events and history carry it. */
export const discordMessage = z.object({
  id,
  channel_id: id,
  guild_id: oneId,
  type: z.number().default(0).catch(0),
  content: z.string().default("").catch(""),
  author: user,
  member: z.object({ nick: text, roles: texts }).optional().catch(undefined),
  webhook_id: oneId,
  application_id: oneId,
  timestamp: text,
  edited_timestamp: text,
  mentions: z
    .array(user.extend({ member: z.object({ nick: text }).optional().catch(undefined) }))
    .default([])
    .catch([]),
  attachments,
  message_reference: z
    .object({ type: z.number().default(0).catch(0), message_id: oneId, channel_id: oneId })
    .optional()
    .catch(undefined),
  message_snapshots: z.array(snapshot).default([]).catch([]),
  components: z.array(z.unknown()).default([]).catch([]),
});

export type DiscordMessage = z.infer<typeof discordMessage>;
export type DiscordAttachment = z.infer<typeof attachment>;

/** One message, or several at once, are gone. */
export const deletion = z
  .object({ id: oneId, ids: z.array(id).default([]), channel_id: id, guild_id: oneId })
  .transform(({ id: one, ids, ...place }) => ({ ...place, ids: one === undefined ? ids : [one, ...ids] }));

export type Deletion = z.infer<typeof deletion>;
