import type { FileRef } from "../../../src/index.js";
import type { DiscordAttachment, DiscordMessage } from "./wire.js";

const UNKNOWN_TYPE = "application/octet-stream";

/** The files that come with a message, and with what it forwards. */
export function filesOf(message: DiscordMessage): readonly FileRef[] {
  const { id, channel_id: channel, attachments, message_snapshots: snapshots } = message;
  const all = [...attachments, ...snapshots.flatMap((snapshot) => snapshot.message.attachments)];
  return all.map((attachment) => fileOf(`${channel}/${id}`, attachment));
}

/** Addresses of files are good for a day only: what is fetched later goes by the message, `CHANNEL/MESSAGE/ATTACHMENT`. */
function fileOf(place: string, { id, filename, title, content_type: type, size }: DiscordAttachment): FileRef {
  return { name: filename ?? title ?? id, type: type ?? UNKNOWN_TYPE, size, ref: `${place}/${id}` };
}
