import { type REST, Routes } from "discord.js";
import type { Clock, Logger } from "../../../src/index.js";
import { type CommandDefinition, definitionHash } from "../interactions/commands.js";
import { discordCode } from "../tokens.js";

export interface RegistrarOptions {
  readonly rest: Pick<REST, "get" | "put" | "post">;
  readonly applicationId: string;
  readonly guildCommands: readonly CommandDefinition[];
  /** For direct conversations; registered for the application as a whole. */
  readonly directCommands: readonly CommandDefinition[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Registers the slash commands, one request after the other, and only where it is not registered like that yet. */
export interface Registrar {
  /** Never rejects: without the commands, words after a mention still do. */
  guild(id: string): Promise<void>;
  direct(): Promise<void>;
  /** What is waiting is left out. */
  stop(): void;
}

/** Servers that wait at most; later ones go without until the next start. */
const MOST_WAITING = 200;
/** While Discord does not answer it is asked again, for a day and a half. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
const MOST_TRIES = 150;

const REFUSED =
  "could not register the slash commands with Discord: open the invite link (troupe invite discord) once more";
const UNANSWERED = "could not register the slash commands with Discord yet; trying again";

export function createRegistrar(options: RegistrarOptions): Registrar {
  const { rest, applicationId, guildCommands, directCommands, clock, logger } = options;
  const again = new Set<() => void>();
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  let isStopped = false;

  /** What Discord refuses it refuses again; everything else passes. */
  function failed(error: unknown, { where, task, tries }: Attempt): void {
    const code = discordCode(error);
    const isFinal = code !== undefined || tries >= MOST_TRIES;
    logger.warn({ where, code: code ?? null }, isFinal ? REFUSED : UNANSWERED);
    if (isFinal || isStopped) return;
    const cancel = clock.after(Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS), () => {
      again.delete(cancel);
      void queue(where, task, tries + 1);
    });
    again.add(cancel);
  }

  function queue(where: string, task: () => Promise<void>, tries = 1): Promise<void> {
    if (waiting >= MOST_WAITING) return Promise.resolve();
    waiting++;
    last = last.then(async () => {
      waiting--;
      if (isStopped) return;
      await task().catch((error: unknown) => failed(error, { where, task, tries }));
    });
    return last;
  }

  return {
    guild: (id) =>
      queue(id, async () => {
        const route = Routes.applicationGuildCommands(applicationId, id);
        const standing = await rest.get(route);
        if (isSame(standing, guildCommands)) return;
        // Here the list is ours alone: what an older version left goes.
        await rest.put(route, { body: guildCommands });
        logger.info({ guild: id }, "registered the slash commands in a Discord server");
      }),
    direct: () =>
      queue("direct", async () => {
        const route = Routes.applicationCommands(applicationId);
        const standing = asList(await rest.get(route));
        const isThere = (wanted: CommandDefinition) =>
          isSame(
            standing.filter((one) => nameOf(one) === wanted.name),
            [wanted],
          );
        const missing = directCommands.filter((wanted) => !isThere(wanted));
        // The application may have other commands of its owner's: those stay.
        for (const body of missing) await rest.post(route, { body });
        if (missing.length > 0) logger.info({}, "registered the slash commands for direct conversations in Discord");
      }),
    stop() {
      isStopped = true;
      for (const cancel of again) cancel();
      again.clear();
    },
  };
}

interface Attempt {
  /** A server, or `direct`. */
  readonly where: string;
  readonly task: () => Promise<void>;
  /** This one and those before. */
  readonly tries: number;
}

function isSame(standing: unknown, wanted: readonly CommandDefinition[]): boolean {
  return definitionHash(asList(standing)) === definitionHash(wanted);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nameOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "name" in value ? value.name : undefined;
}
