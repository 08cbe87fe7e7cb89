import * as z from "zod";

/** A field that may be missing, and counts as missing when it is not what it should be. */
const text = z.string().optional().catch(undefined);

/** A file of a message. */
export const slackFile = z.object({
  id: z.string(),
  name: text,
  title: text,
  mimetype: text,
  size: z.number().optional().catch(undefined),
  mode: text,
  file_access: text,
});

export type SlackFile = z.infer<typeof slackFile>;

/** A message as events and history carry it. Nothing but its time is sure to be there. */
export const slackMessage = z.object({
  ts: z.string().regex(/^\d+\.\d+$/),
  thread_ts: text,
  subtype: text,
  text,
  user: text,
  bot_id: text,
  app_id: text,
  username: text,
  bot_profile: z.object({ name: text, app_id: text }).optional().catch(undefined),
  team: text,
  user_team: text,
  source_team: text,
  client_msg_id: text,
  blocks: z.array(z.unknown()).optional().catch(undefined),
  files: z.array(slackFile).optional().catch(undefined),
  edited: z.object({ ts: text }).optional().catch(undefined),
  reply_count: z.number().optional().catch(undefined),
  latest_reply: text,
});

export type SlackMessage = z.infer<typeof slackMessage>;

/** A `message` or `app_mention` event. Of an edit or a delete, `message` and `previous_message` are what it was and is. */
export const messageEvent = slackMessage.extend({
  type: z.enum(["message", "app_mention"]),
  channel: z.string().min(1),
  channel_type: text,
  deleted_ts: text,
  message: slackMessage.optional().catch(undefined),
  previous_message: slackMessage.optional().catch(undefined),
});

export type MessageEvent = z.infer<typeof messageEvent>;

/** A slash command. All its fields are text. */
export const slashCommand = z.object({
  command: z.string().startsWith("/"),
  text: z.string().default(""),
  channel_id: z.string().min(1),
  user_id: z.string().min(1),
  user_name: text,
  team_id: text,
  response_url: text,
  trigger_id: text,
});

/** A pressed button. A message that only one person sees is named by its container alone. */
export const blockActions = z.object({
  user: z.object({ id: z.string().min(1), team_id: text, name: text }),
  channel: z.object({ id: z.string().min(1) }).optional(),
  container: z.object({ channel_id: text, thread_ts: text }).optional().catch(undefined),
  message: z.object({ ts: text, thread_ts: text }).optional().catch(undefined),
  actions: z.array(z.object({ action_id: z.string(), value: text })).min(1),
  trigger_id: text,
});

export const tokensRevoked = z.object({
  tokens: z.object({ bot: z.array(z.string()).default([]) }).optional(),
});
