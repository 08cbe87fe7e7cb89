import { checkComponents, IS_V2 } from "./component-rules.js";
import { checkEmbeds } from "./embed-rules.js";
import { checkAvatar, checkName } from "./name-rules.js";
import { createProblems, type Problems } from "./problems.js";
import type { UploadedFile } from "./request-body.js";
import { type Json, numberOf, records, refusal, textOf } from "./wire.js";

/** Who posts: each has things that only it may say. */
export type Poster = "bot" | "webhook" | "interaction";

/** The most that one request may weigh. */
const REQUEST_BYTES = 25 * 1024 * 1024;
const FILE_BYTES = 10 * 1024 * 1024;

/** The flags that each may set: no previews, no sound, components alone; an interaction also "only for you". */
const FLAGS: Readonly<Record<Poster, number>> = {
  bot: (1 << 2) | (1 << 12) | IS_V2 | (1 << 13),
  webhook: (1 << 2) | (1 << 12) | IS_V2,
  interaction: (1 << 2) | (1 << 12) | IS_V2 | (1 << 6) | (1 << 13),
};

/** Refuses a new message that Discord would refuse. */
export function checkMessage(body: Json, files: readonly UploadedFile[], poster: Poster): void {
  const problems = createProblems();
  const flags = numberOf(body, "flags") ?? 0;
  checkContents(body, files, flags, problems);
  if ((flags & ~FLAGS[poster]) !== 0) problems.add("flags", "FLAGS_INVALID", "Invalid message flags");
  if (poster === "webhook") checkLook(body, problems);
  const nonce = textOf(body, "nonce");
  if (nonce !== undefined) problems.length("nonce", nonce, 25);
  problems.throwIfAny();
  if (isEmpty(body, files)) throw refusal(50006);
}

/** Refuses an edit that Discord would refuse. `rest`: there is something left when the text goes. */
export function checkEdit(body: Json, files: readonly UploadedFile[], standing: Json): void {
  const problems = createProblems();
  checkContents(body, files, numberOf(body, "flags") ?? numberOf(standing, "flags") ?? 0, problems);
  problems.throwIfAny();
  if (isEmpty({ ...standing, ...body }, files)) throw refusal(50006);
}

function checkContents(body: Json, files: readonly UploadedFile[], flags: number, problems: Problems): void {
  const content = body.content ?? "";
  if (typeof content !== "string")
    problems.add("content", "STRING_TYPE_CONVERT", "Could not interpret value as string.");
  else problems.length("content", content, 2000);
  checkEmbeds(records(body.embeds), problems);
  checkComponents(records(body.components), flags, problems);
  if (flags & IS_V2 && (content || records(body.embeds).length > 0)) {
    const message = "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2";
    problems.add("content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message);
  }
  checkFiles(body, files, problems);
}

function checkFiles(body: Json, files: readonly UploadedFile[], problems: Problems): void {
  if (files.length > 10) problems.add("attachments", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.");
  const total = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (total > REQUEST_BYTES || files.some((file) => file.bytes.length > FILE_BYTES)) throw refusal(40005);
  records(body.attachments).forEach((attachment, index) => {
    const id = String(attachment.id);
    const isOld = /^\d{17,20}$/.test(id);
    if (isOld || files.some((file) => file.field === `files[${id}]`)) return;
    problems.add(
      `attachments.${index}.id`,
      "ATTACHMENT_NOT_FOUND",
      `Attachment data not found for attachment ID ${id}`,
    );
  });
}

function checkLook(body: Json, problems: Problems): void {
  const [username, avatar] = [textOf(body, "username"), textOf(body, "avatar_url")];
  if (username !== undefined) checkName("username", username, problems);
  if (avatar) checkAvatar("avatar_url", avatar, problems);
}

function isEmpty(body: Json, files: readonly UploadedFile[]): boolean {
  const has = (name: string) => records(body[name]).length > 0;
  const text = typeof body.content === "string" ? body.content.trim() : "";
  const parts = ["embeds", "components", "attachments", "sticker_ids"];
  return text === "" && files.length === 0 && !parts.some(has) && !body.poll;
}
