import { ApplicationCommandOptionType, ChannelType, InteractionType, PermissionFlagsBits } from "discord.js";
import * as z from "zod";
import type { InboundSender } from "../../../src/index.js";

const id = z.string().regex(/^\d{1,20}$/);
const text = z.string().nullish().catch(undefined);

const user = z.object({ id, username: z.string().default(""), global_name: text });

const member = z.object({
  user,
  nick: text,
  permissions: z
    .string()
    .regex(/^\d{1,30}$/)
    .default("0"),
});

const value = z.union([z.string(), z.number(), z.boolean()]);

/** What was chosen or typed for one option. */
const chosen = z.object({ name: z.string(), value: value.optional(), focused: z.boolean().default(false) });

const subcommand = z.object({
  type: z.literal(ApplicationCommandOptionType.Subcommand),
  name: z.string(),
  options: z.array(chosen).default([]),
});

const common = z.object({
  id,
  token: z.string().min(1),
  application_id: id,
  guild_id: id.optional(),
  channel_id: id,
  channel: z.object({ type: z.number().optional(), parent_id: id.nullish() }).optional().catch(undefined),
  member: member.optional(),
  user: user.optional(),
});

const commandData = z.object({ name: z.string(), options: z.array(subcommand).default([]) });

/** What a person did, in the forms that we answer; `other`: anything that we have not asked for. */
export const interactionWire = z.union([
  common.extend({ type: z.literal(InteractionType.ApplicationCommand), data: commandData }),
  common.extend({ type: z.literal(InteractionType.ApplicationCommandAutocomplete), data: commandData }),
  common.extend({ type: z.literal(InteractionType.MessageComponent), data: z.object({ custom_id: z.string() }) }),
  common.extend({ type: z.number() }).transform((one) => ({ ...one, type: "other" as const })),
]);

export type InteractionWire = z.infer<typeof interactionWire>;
export type CommandWire = Extract<InteractionWire, { type: InteractionType.ApplicationCommand }>;
export type AutocompleteWire = Extract<InteractionWire, { type: InteractionType.ApplicationCommandAutocomplete }>;
export type PressWire = Extract<InteractionWire, { type: InteractionType.MessageComponent }>;

/** Who did it, by Discord's word; an admin is who may manage the server. `undefined`: Discord did not say. */
export function senderOf({
  member: inGuild,
  user: alone,
}: Pick<InteractionWire, "member" | "user">): InboundSender | undefined {
  const who = inGuild?.user ?? alone;
  if (who === undefined) return undefined;
  const name = inGuild?.nick || who.global_name || who.username || who.id;
  return { kind: "person", id: who.id, name, isAdmin: mayManage(inGuild?.permissions) };
}

function mayManage(permissions = "0"): boolean {
  return (BigInt(permissions) & (PermissionFlagsBits.ManageGuild | PermissionFlagsBits.Administrator)) !== 0n;
}

const THREADS: ReadonlySet<number> = new Set([
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);

/** The channel of the thread where it was done; `null`: not in a thread; `undefined`: Discord did not say. */
export function parentOf({ channel }: Pick<InteractionWire, "channel">): string | null | undefined {
  if (channel?.type === undefined) return undefined;
  return THREADS.has(channel.type) ? (channel.parent_id ?? undefined) : null;
}
