import { vi } from "vitest";
import { type RunningService, startService } from "../support/cli.js";
import { call, json } from "../support/http-client.js";
import type { Account } from "./scenario.js";

/** How long a scenario waits for one thing. */
export const PATIENCE = { timeout: 30_000, interval: 25 };

/** A service that is ended and started again on one project. What it has kept is read over its own HTTP interface. */
export interface ServiceUnderScenario {
  readonly now: RunningService;
  readonly isUp: boolean;
  /** Resolves when it says of itself that it is ready. */
  start(): Promise<void>;
  end(how: "stop" | "kill"): Promise<void>;
  /** Resolves when this persona has a turn. */
  atWork(persona: string): Promise<void>;
  /** Resolves when it keeps the message of this id; with a text, when it keeps it with this text. */
  hasTaken(platform: string, id: string, text?: string): Promise<void>;
  /** All messages of people in all rooms of a platform, once each is decided. */
  accounts(platform: string): Promise<readonly Account[]>;
}

/** An entry as the HTTP interface shows it, as far as accounts look. */
interface Kept {
  readonly id: string;
  readonly kind: string;
  readonly sender: { readonly kind: string };
  readonly text: string;
  readonly outcome:
    | { readonly kind: "ignored"; readonly reason: string }
    | { readonly kind: "superseded" }
    | { readonly kind: "parts"; readonly parts: readonly { readonly result: string; readonly persona: string }[] }
    | null;
}

interface RoomKept {
  readonly id: string;
  readonly roster: readonly { readonly name: string; readonly busy: boolean }[];
  readonly sessions: readonly { readonly id: string }[];
}

export function serviceOn(project: string, env: Readonly<Record<string, string>>): ServiceUnderScenario {
  let running: RunningService | undefined;

  function now(): RunningService {
    if (running === undefined) throw new Error("the service is down");
    return running;
  }

  async function read<T>(path: string): Promise<T> {
    const { port, key } = now();
    // Our own service's form, as product.md has it.
    return json(await call(port, `/api${path}`, { key })) as T;
  }

  async function rooms(): Promise<readonly RoomKept[]> {
    const { rooms: all } = await read<{ rooms: readonly { id: string }[] }>("/rooms");
    return Promise.all(all.map(({ id }) => read<RoomKept>(`/rooms/${encodeURIComponent(id)}`)));
  }

  /** Everything of a platform, each once. */
  async function keptOf(platform: string): Promise<readonly Kept[]> {
    const sessions = (await rooms()).filter(({ id }) => id.startsWith(`${platform}:`)).flatMap((room) => room.sessions);
    const logs = await Promise.all(
      sessions.map(({ id }) =>
        read<{ entries: readonly Kept[] }>(`/rooms/${encodeURIComponent(id)}/entries?limit=500`),
      ),
    );
    // A thread begins with the message it hangs on, edits of it included, which stands in its channel too.
    const isRoot = (session: string, { id }: Kept) => id.startsWith(session.split(":")[3] ?? "\n");
    return logs.flatMap(({ entries }, i) => entries.filter((entry) => !isRoot(sessions[i]?.id ?? "", entry)));
  }

  async function messagesOfPeople(platform: string): Promise<readonly Account[]> {
    return (await keptOf(platform))
      .filter(({ kind, sender }) => kind === "message" && sender.kind === "person")
      .map(({ text, outcome }) => ({ text, ended: endOf(outcome) }));
  }

  return {
    get now() {
      return now();
    },
    get isUp() {
      return running !== undefined;
    },
    async start() {
      running = await startService(project, env);
      const { port } = running;
      await vi.waitFor(async () => {
        const { status, text } = await call(port, "/readyz");
        if (status !== 200) throw new Error(`not ready: ${text}`);
      }, PATIENCE);
    },
    async end(how) {
      now().signal(how === "kill" ? "SIGKILL" : "SIGTERM");
      await now().exited;
      running = undefined;
    },
    atWork: (persona) =>
      vi.waitFor(async () => {
        const isBusy = (await rooms()).some(({ roster }) => roster.some(({ name, busy }) => name === persona && busy));
        if (!isBusy) throw new Error(`${persona} is not at work`);
      }, PATIENCE),
    hasTaken: (platform, id, text) =>
      vi.waitFor(async () => {
        const kept = (await keptOf(platform)).filter((entry) => entry.id.startsWith(id));
        if (kept.some((entry) => text === undefined || entry.text.toLowerCase() === text.toLowerCase())) return;
        throw new Error(`${id} is not taken: ${JSON.stringify(kept)}`);
      }, PATIENCE),
    accounts: (platform) =>
      vi.waitFor(async () => {
        const accounts = await messagesOfPeople(platform);
        const open = accounts.filter(({ ended }) => ended === "open");
        if (open.length > 0) throw new Error(`undecided: ${JSON.stringify(open)}`);
        return accounts;
      }, PATIENCE),
  };
}

function endOf(outcome: Kept["outcome"]): string {
  switch (outcome?.kind) {
    case undefined:
      return "open";
    case "ignored":
      return `ignored ${outcome.reason}`;
    case "superseded":
      return "superseded";
    case "parts":
      return outcome.parts.map(({ result, persona }) => `${result} ${persona}`).join(", ");
  }
}
