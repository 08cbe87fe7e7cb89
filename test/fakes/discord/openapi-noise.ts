import { isRecord, type Json } from "./wire.js";

/** What discord.js adds to every message body, and Discord takes no notice of. */
const IDLE: Json = { tts: false, enforce_nonce: false };

/** Edits through a webhook's address, where discord.js repeats the name. */
const WEBHOOK_EDITS = new Set(["update_webhook_message", "update_original_webhook_message"]);

/** The body without the known differences between what discord.js sends, what Discord takes, and what the document says. */
export function withoutNoise(method: string, body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withNumericPermissions);
  if (!isRecord(body)) return body;
  const { data, ...rest } = body;
  const quiet = withoutIdle(rest);
  if (WEBHOOK_EDITS.has(method)) delete quiet.username;
  // Permissions are strings on the wire, whatever the document says.
  if (method === "create_guild_role" && typeof quiet.permissions === "string")
    quiet.permissions = Number(quiet.permissions);
  // A thread on a message is of the channel's kind; discord.js says so all the same.
  if (method === "create_thread_from_message") delete quiet.type;
  if (data === undefined) return quiet;
  return { ...quiet, data: isRecord(data) ? withoutIdle(data) : data };
}

/** `false` is the default, which can be left out; `true` stays, to be found out. */
function withoutIdle(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => !(name in IDLE) || value !== IDLE[name]));
}

/** Permissions are strings on the wire, whatever the document says. */
function withNumericPermissions(command: unknown): unknown {
  if (!isRecord(command) || typeof command.default_member_permissions !== "string") return command;
  return { ...command, default_member_permissions: Number(command.default_member_permissions) };
}
