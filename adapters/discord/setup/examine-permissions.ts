import { PermissionFlagsBits } from "discord.js";
import * as z from "zod";

/** A permission set as it stands on the wire: a number in digits. */
const bits = z
  .string()
  .regex(/^\d{1,30}$/)
  .transform(BigInt);

/** A server with its roles, as Discord describes it. */
export const guildSchema = z.object({
  id: z.string(),
  name: z.string(),
  owner_id: z.string().optional(),
  roles: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      permissions: bits,
      position: z.number().default(0),
      mentionable: z.boolean().default(false),
    }),
  ),
});

/** The bot as a member. */
export const memberSchema = z.object({ roles: z.array(z.string()) });

/** A channel with what it allows and denies. */
export const channelSchema = z.object({
  name: z.string().default(""),
  permission_overwrites: z.array(z.object({ id: z.string(), type: z.number(), allow: bits, deny: bits })).default([]),
});

type Overwrite = z.infer<typeof channelSchema>["permission_overwrites"][number];

/** A server, and the bot in it. */
export interface GuildWire extends z.infer<typeof guildSchema> {
  readonly member: { readonly id: string; readonly roles: readonly string[] };
}

/**
 * What the bot may where these overwrites hold; without any, in the server at large. Discord's own order: the roles together, then what
 * the channel says of everyone, of the bot's roles, and of the bot.
 */
export function channelPermissions(guild: GuildWire, overwrites: readonly Overwrite[]): bigint {
  const { id, roles, member, owner_id: owner } = guild;
  if (owner === member.id) return PermissionFlagsBits.Administrator;
  const held = new Set([id, ...member.roles]);
  const base = roles.filter((role) => held.has(role.id)).reduce((sum, { permissions }) => sum | permissions, 0n);
  if ((base & PermissionFlagsBits.Administrator) !== 0n) return base;
  const steps = [
    overwrites.filter((one) => one.id === id),
    overwrites.filter((one) => one.type === ROLE && one.id !== id && held.has(one.id)),
    overwrites.filter((one) => one.type === MEMBER && one.id === member.id),
  ];
  return steps.reduce((sum, step) => {
    const denied = step.reduce((all, { deny }) => all | deny, 0n);
    const allowed = step.reduce((all, { allow }) => all | allow, 0n);
    // A channel makes nobody an administrator, whatever stands there.
    return (sum & ~denied) | (allowed & ~PermissionFlagsBits.Administrator);
  }, base);
}

const ROLE = 0;
const MEMBER = 1;
