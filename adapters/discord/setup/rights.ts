import { PermissionFlagsBits } from "discord.js";

/** A permission that the invite link asks for. */
export interface Right {
  readonly bit: bigint;
  /** As Discord's settings call it. */
  readonly name: string;
  /** What does not work without it; absent: nothing that anybody would miss. */
  readonly use?: string;
}

/** Every permission that the bot is invited with. */
const RIGHTS: readonly Right[] = [
  { bit: PermissionFlagsBits.ViewChannel, name: "View Channels", use: "hear anything" },
  { bit: PermissionFlagsBits.SendMessages, name: "Send Messages", use: "answer in channels" },
  { bit: PermissionFlagsBits.SendMessagesInThreads, name: "Send Messages in Threads", use: "answer in threads" },
  { bit: PermissionFlagsBits.CreatePublicThreads, name: "Create Public Threads", use: "begin threads" },
  {
    bit: PermissionFlagsBits.ManageWebhooks,
    name: "Manage Webhooks",
    use: "let personas speak under their own names and pictures",
  },
  {
    bit: PermissionFlagsBits.ReadMessageHistory,
    name: "Read Message History",
    use: "read what was said while it was away, or make sure that nothing is posted twice",
  },
  { bit: PermissionFlagsBits.EmbedLinks, name: "Embed Links" },
  { bit: PermissionFlagsBits.AttachFiles, name: "Attach Files" },
  { bit: PermissionFlagsBits.AddReactions, name: "Add Reactions" },
  { bit: PermissionFlagsBits.UseExternalEmojis, name: "Use External Emoji" },
];

/** Asked for besides, where personas have roles. */
const ROLES_RIGHT: Right = {
  bit: PermissionFlagsBits.ManageRoles,
  name: "Manage Roles",
  use: "make the personas' roles",
};

/** The permissions that the invite link asks for. */
export function wantedRights(withRoles: boolean): readonly Right[] {
  return withRoles ? [...RIGHTS, ROLES_RIGHT] : RIGHTS;
}

/** Those without which something does not work, of what is not held. */
export function missingRights(held: bigint, withRoles: boolean): readonly Right[] {
  if ((held & PermissionFlagsBits.Administrator) !== 0n) return [];
  return wantedRights(withRoles).filter(({ bit, use }) => use !== undefined && (held & bit) === 0n);
}

/** What is missing and what does not work for it, in one line. */
export function lackOf(missing: readonly Right[]): string {
  const names = missing.map(({ name }) => name).join(", ");
  return `${names}: it cannot ${missing.map(({ use }) => use).join(", nor ")}`;
}
