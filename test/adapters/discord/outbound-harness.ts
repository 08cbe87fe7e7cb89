import { onTestFinished } from "vitest";
import { createBreaker } from "../../../adapters/discord/outbound/breaker.js";
import { createOutbound, type Outbound } from "../../../adapters/discord/outbound/outbound.js";
import { splitBody } from "../../../adapters/discord/outbound/showing.js";
import type { Identity, Logger, Post, PostBody, PostResult } from "../../../src/index.js";
import { type DiscordTown, openDiscordTown } from "../../support/discord-town.js";
import { settle } from "../../support/fake-clock.js";

export const ALPHA: Identity = { name: "alpha", displayName: "Alpha", avatar: "https://pictures.example/alpha.png" };
export const BETA: Identity = { name: "beta", displayName: "Beta", avatar: ":gem:" };

/** The way out, into a fake Discord. */
export interface OutboundTown extends DiscordTown {
  readonly outbound: Outbound;
  /** The session of a channel, or of a thread in it. */
  session(channel?: string, thread?: string): string;
  /** Posts one part and says what came of it. */
  post(body: string | PostBody, more?: Partial<Post>): Promise<PostResult>;
  /** Cuts a text and posts all its parts. */
  postAll(text: string, more?: Partial<Post>): Promise<readonly PostResult[]>;
  /** Lets time pass as far as this needs it. */
  drive<T>(work: Promise<T>): Promise<T>;
  readonly hints: readonly string[];
  /** Ids of messages that earlier runs have posted. */
  readonly recorded: Set<string>;
  /** Another run of the same bot, which knows nothing but what was recorded. */
  again(): Outbound;
  /** Lines that were logged at info and above, with all that stands in them. */
  readonly logged: readonly string[];
}

export interface OutboundTownOptions {
  /** With our own budget; not, unless a test is about it. */
  readonly pace?: boolean;
  readonly mayReadHistory?: (channel: string) => boolean | undefined;
}

/** Opens a server and the way out into it. */
export async function openOutbound({ pace = false, mayReadHistory }: OutboundTownOptions = {}): Promise<OutboundTown> {
  const town = await openDiscordTown();
  const { discord, clock } = town;
  const hints: string[] = [];
  const logged: string[] = [];
  const recorded = new Set<string>();
  const logger = loggerInto(logged);

  function again(): Outbound {
    const made = createOutbound({
      self: { applicationId: discord.applicationId, userId: discord.botUserId, name: "Troupe" },
      token: discord.token,
      apiUrl: discord.apiUrl,
      pace,
      reader: { posted: async (_, id) => recorded.has(id) },
      clock,
      logger,
      breaker: createBreaker({ clock, logger }),
      onAdminHint: (text) => void hints.push(text),
      ...(mayReadHistory === undefined ? {} : { mayReadHistory }),
    });
    onTestFinished(() => made.stop());
    return made;
  }

  const outbound = again();
  const guild = discord.workspace.guild("home").id;
  const session = (channel = "general", thread?: string) =>
    ["discord", guild, discord.workspace.channel(channel).id, ...(thread === undefined ? [] : [thread])].join(":");
  const post = (body: string | PostBody, more: Partial<Post> = {}) =>
    outbound.post(
      {
        id: "e1",
        session: session(),
        identity: ALPHA,
        part: 0,
        attemptedAt: clock.now(),
        body: typeof body === "string" ? { kind: "text", text: body } : body,
        ...more,
      },
      new AbortController().signal,
    );
  const hasOpenCalls = () => discord.recorder.requests.some(({ outcome }) => outcome === undefined);

  return {
    ...town,
    outbound,
    session,
    post,
    async postAll(text, more) {
      const results: PostResult[] = [];
      for (const [part, body] of splitBody({ kind: "text", text }).entries())
        results.push(await post(body, { ...more, part }));
      return results;
    },
    async drive(work) {
      let isDone = false;
      const done = () => {
        isDone = true;
      };
      work.then(done, done);
      while (!isDone) {
        await settle();
        if (!isDone && !hasOpenCalls()) await clock.advance(250);
      }
      return work;
    },
    hints,
    recorded,
    again,
    logged,
  };
}

/** Where a post stands. */
export function idsOf(result: PostResult): readonly string[] {
  return result.status === "posted" ? result.messageIds : [];
}

/** What the outbox does with one row: looks before it posts again, twice. */
export async function deliver(town: OutboundTown, post: Post, outbound = town.outbound): Promise<PostResult> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const attemptedAt = town.clock.now();
    const result = await outbound.post({ ...post, attemptedAt }, new AbortController().signal);
    if (result.status === "posted" || (result.status === "rejected" && !result.retry)) return result;
    await wait(town, result.status === "rate-limited" ? result.retryAfterMs : 1_000);
    const found = result.status === "ambiguous" ? await look(town, { ...post, attemptedAt }, outbound) : undefined;
    if (found) return found;
  }
  return { status: "rejected", reason: "tried too often", retry: false };
}

const MOST_ATTEMPTS = 40;

/** `undefined`: it is not there. */
export async function look(town: OutboundTown, post: Post, outbound = town.outbound): Promise<PostResult | undefined> {
  for (let times = 0; times < 2; times++) {
    const found = await outbound.find(post, new AbortController().signal);
    if (found.status === "found") return { status: "posted", messageIds: found.messageIds };
    if (found.status === "unknown") return { status: "rejected", reason: "unknown", retry: false };
    await wait(town, 2_000);
  }
  return undefined;
}

function wait({ clock }: OutboundTown, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}

/** Keeps all that is logged at info and above, as it would be written. */
function loggerInto(lines: string[]): Logger {
  const write = (...words: readonly unknown[]) => {
    const shown = words.map((word) => (word instanceof Error ? String(word.stack) : JSON.stringify(word)));
    lines.push(shown.join(" "));
  };
  const logger: Logger = { debug() {}, info: write, warn: write, error: write, child: () => logger };
  return logger;
}
