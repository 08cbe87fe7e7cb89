import { z } from "zod";
import type { Echo } from "./deliveries.js";

const button = z.object({ custom_id: z.string().optional() });

const message = z.object({
  id: z.string(),
  channel_id: z.string(),
  webhook_id: z.string().optional(),
  application_id: z.string().optional(),
  author: z.object({ id: z.string(), username: z.string().catch("") }),
  content: z.string().catch(""),
  components: z.array(z.object({ components: z.array(button).catch([]) }).catch({ components: [] })).catch([]),
});

/** A message as the REST API gives it; `undefined` if it is none. */
export function readMessage(data: unknown): Echo | undefined {
  const parsed = message.safeParse(data).data;
  if (!parsed) return undefined;
  const customIds = parsed.components.flatMap(({ components }) =>
    components.flatMap(({ custom_id: id }) => (id === undefined ? [] : [id])),
  );
  return {
    id: parsed.id,
    channelId: parsed.channel_id,
    webhookId: parsed.webhook_id,
    applicationId: parsed.application_id,
    authorId: parsed.author.id,
    username: parsed.author.username,
    content: parsed.content,
    customIds,
  };
}
