import type { Client } from "discord.js";
import { onTestFinished } from "vitest";
import { createDesk, type Desk } from "../../adapters/discord/interactions/desk.js";
import { createBreaker } from "../../adapters/discord/outbound/breaker.js";
import type { DiscordPersona } from "../../adapters/discord/team.js";
import { createFinder } from "../../adapters/discord/whereabouts.js";
import { createHints } from "../../adapters/shared/hints.js";
import { FAMILIES } from "../../src/engine/commands/table.js";
import type { Answer, InboundCommand, Inbox, Press } from "../../src/ports/platform.js";
import type { Reader } from "../../src/ports/reader.js";
import { expectKnownRequests } from "../fakes/discord/openapi.js";
import { readyClient } from "./discord-client.js";
import { type DiscordTown, openDiscordTown } from "./discord-town.js";
import { createLogLines, type LogLines } from "./log-lines.js";

/** The desk on a connected client, with an inbox that keeps what it is asked. */
export interface DiscordDesk extends DiscordTown {
  readonly client: Client<true>;
  readonly desk: Desk;
  readonly logs: LogLines;
  readonly commands: readonly InboundCommand[];
  readonly presses: readonly Press[];
  /** What admins are told to mend. */
  readonly hints: readonly string[];
  /** What commands and presses are answered with from now on. */
  answerWith(answer: () => Promise<Answer>): void;
}

export interface DiscordDeskOptions {
  readonly town?: DiscordTown;
  readonly personas?: () => readonly DiscordPersona[];
  readonly reader?: Partial<Pick<Reader, "room" | "rooms">>;
}

const TEAM: readonly DiscordPersona[] = [
  { name: "alpha", displayName: "Alpha", role: false },
  { name: "beta", displayName: "Beta", role: false },
  { name: "gamma", displayName: "Gamma Ray", role: false },
];

const PRIVATE: Answer = { ok: true, view: { text: "done" }, public: false };

/** Readies the server `home`: the commands are registered, the roles made. */
export async function openDesk(options: DiscordDeskOptions = {}): Promise<DiscordDesk> {
  const town = options.town ?? (await openDiscordTown());
  const { discord, clock } = town;
  const logs = createLogLines();
  const [commands, presses, hints]: [InboundCommand[], Press[], string[]] = [[], [], []];
  let answer = async () => PRIVATE;
  const unused = () => Promise.reject(new Error("the desk does not ask for that"));
  const inbox: Inbox = {
    message: unused,
    revise: unused,
    missed: unused,
    resume: unused,
    command(command) {
      commands.push(command);
      return answer();
    },
    press(press) {
      presses.push(press);
      return answer();
    },
  };
  const client = await readyClient(discord);
  const desk = createDesk({
    self: { applicationId: discord.applicationId, userId: discord.botUserId, name: "troupe" },
    client,
    apiUrl: discord.apiUrl,
    breaker: createBreaker({ clock, logger: logs }),
    inbox,
    reader: { rooms: async () => [], room: async () => undefined, ...options.reader },
    families: FAMILIES,
    personas: options.personas ?? (() => TEAM),
    find: createFinder(client),
    hint: createHints(logs, (text) => hints.push(text)),
    clock,
    logger: logs,
  });
  onTestFinished(() => {
    void desk.stop(0);
    expectKnownRequests(discord);
  });
  client.on("raw", ({ t, d }: { t: string; d: unknown }) => {
    if (t === "INTERACTION_CREATE") desk.take(d);
  });
  await desk.open();
  for (const guild of client.guilds.cache.values()) await desk.server(guild);
  return {
    ...town,
    client,
    desk,
    logs,
    commands,
    presses,
    hints,
    answerWith(next) {
      answer = next;
    },
  };
}
