/** The intents, by bit. */
export const Intent = {
  guilds: 1,
  members: 1 << 1,
  webhooks: 1 << 5,
  presences: 1 << 8,
  guildMessages: 1 << 9,
  directMessages: 1 << 12,
  content: 1 << 15,
} as const;
