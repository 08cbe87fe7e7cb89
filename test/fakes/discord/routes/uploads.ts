import type { DiscordAttachment, DiscordMessage } from "../model.js";
import { type Json, records, textOf } from "../wire.js";
import type { Call } from "./route.js";

/** Puts the files of a request on the file host. */
export function attachmentsOf({ world, files, body }: Call, channelId: string): readonly DiscordAttachment[] {
  return files.map((file) => {
    const noted = records(body.attachments).find((it) => `files[${it.id}]` === file.field) ?? {};
    return world.cdn.add(channelId, {
      name: textOf(noted, "filename") ?? file.name,
      bytes: file.bytes,
      ...(file.type ? { contentType: file.type } : {}),
      ...descriptionIn(noted),
    });
  });
}

/** After an edit: those that it lists, or all if it lists none, and the new ones. */
export function keptAttachments(call: Call, channelId: string, message: DiscordMessage): readonly DiscordAttachment[] {
  const { body } = call;
  const listed = new Set(records(body.attachments).map((it) => String(it.id)));
  const kept = Array.isArray(body.attachments)
    ? message.attachments.filter((it) => listed.has(it.id))
    : message.attachments;
  return [...kept, ...attachmentsOf(call, channelId)];
}

function descriptionIn(noted: Json): { description?: string } {
  const description = textOf(noted, "description");
  return description === undefined ? {} : { description };
}
