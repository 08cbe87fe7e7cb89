/** Close codes after which Discord lets nobody in again, with what is wrong and its mend. */
const FINAL: Readonly<Record<number, string>> = {
  4004: "Discord does not accept DISCORD_TOKEN any more (4004): copy the token from the application's page Bot in Discord's developer portal, or reset it there, and restart.",
  4010: "Discord refuses the connection (4010, invalid shard): restart; if it comes again, report it.",
  4011: "The bot is in too many servers for one connection (4011, sharding required): let it leave some.",
  4012: "Discord does not speak this version of its gateway any more (4012): update Troupe.",
  4013: "Discord does not know what the bot wants to hear (4013, invalid intents): update Troupe.",
  4014: "The bot may not read messages (4014, disallowed intents): turn on \"Message Content Intent\" on the application's page Bot in Discord's developer portal, under Privileged Gateway Intents, and restart.",
};

/** What is wrong for good, and its mend; `undefined`: the connection is opened again. */
export function finalProblem(closeCode: number): string | undefined {
  return FINAL[closeCode];
}
