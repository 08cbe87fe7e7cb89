import { RequestMethod } from "discord.js";
import { z } from "zod";
import type { Clock } from "../../../src/index.js";
import type { Hint } from "../../shared/hints.js";
import { byId } from "./deliveries.js";
import type { Caller } from "./rest.js";
import { CODE, type Failure, type Refused } from "./results.js";

/** A webhook that we may speak through. Its token is a secret: whoever has it can speak as anybody. */
export interface Webhook {
  readonly id: string;
  readonly token: string;
}

/** `none`: there can be no webhook in this channel for now, and an admin has been told why. */
export type WebhookFound =
  | { readonly status: "found"; readonly webhook: Webhook }
  | { readonly status: "none" }
  | { readonly status: "failed"; readonly failure: Failure };

/** One webhook of ours for each channel, shared by all personas. */
export interface Webhooks {
  /** The channel's: found among those that are there, or made. Whoever asks meanwhile gets the same. */
  of(channel: string): Promise<WebhookFound>;
  /** Ours of this channel by id, if it still stands; for what was posted through it. */
  byId(channel: string, id: string): Promise<Webhook | undefined>;
  /** It was of no use: it is not taken again. */
  lost(channel: string, id: string): void;
  /** What is known of the channel may not be so any more. */
  forget(channel: string): void;
  isOwn(id: string): boolean;
}

export interface WebhooksDeps {
  readonly call: Caller;
  readonly applicationId: string;
  readonly clock: Clock;
  readonly hint: Hint;
  /** Ends what is being asked. */
  readonly signal: AbortSignal;
}

/** Neither this name nor a persona's may have the platform's in it. */
const NAME = "Troupe";
const MOST_REMADE = 3;
const HOUR_MS = 60 * 60_000;
/** So long a channel without a webhook is not asked again. */
const NONE_MS = 60_000;
const MOST_CHANNELS = 5_000;

interface Known {
  readonly found: Promise<WebhookFound>;
  /** So long the answer is good, once it is there; `undefined`: it is being asked for. */
  until: number | undefined;
  /** Something has changed while it was being asked for. */
  isOutdated: boolean;
}

interface Listed extends Webhook {
  readonly channelId: string;
}

type Listing =
  | { readonly ok: true; readonly own: readonly Listed[] }
  | { readonly ok: false; readonly failure: Failure };

/** What Discord says when a webhook may not be listed or made. */
const WHY_NONE: ReadonlyMap<number, (channel: string) => string> = new Map<number, (channel: string) => string>([
  [
    CODE.missingPermissions,
    (channel) =>
      `The bot may not use webhooks in <#${channel}>, so that personas are named in the text instead. Allow its role Manage Webhooks there.`,
  ],
  [
    CODE.tooManyWebhooks,
    (channel) =>
      `<#${channel}> has 15 webhooks, as many as Discord allows, and none of them is ours: personas are named in the text instead. Delete one under Edit Channel → Integrations → Webhooks.`,
  ],
  [
    CODE.tooManyGuildWebhooks,
    () =>
      "The server has as many webhooks as Discord allows: personas are named in the text instead. Delete some under Server Settings → Integrations → Webhooks.",
  ],
  [
    CODE.wrongChannelType,
    (channel) => `<#${channel}> is of a kind that has no webhooks, so that personas are named in the text there.`,
  ],
]);

export function createWebhooks({ call, applicationId, clock, hint, signal }: WebhooksDeps): Webhooks {
  const known = new Map<string, Known>();
  const own = new Set<string>();
  const useless = new Set<string>();
  const lostAt = new Map<string, readonly number[]>();

  async function list(channel: string): Promise<Listing> {
    const called = await call({ method: RequestMethod.Get, path: `/channels/${channel}/webhooks` }, signal);
    if (!called.ok) return called;
    const parsed = z.array(z.unknown()).safeParse(called.data).data;
    if (!parsed) return { ok: false, failure: { kind: "unsent", reason: "the list of webhooks is not readable" } };
    const found = parsed.flatMap((one) => ownOf(one, applicationId)).toSorted(byId);
    for (const { id } of found) remember(own, id);
    return { ok: true, own: found };
  }

  async function find(channel: string): Promise<WebhookFound> {
    const listing = await list(channel);
    // Nobody knows whether there is one: another would be one too many.
    if (!listing.ok) return whyNot(channel, listing.failure);
    const [first] = listing.own.filter(({ id, channelId }) => channelId === channel && !useless.has(id));
    if (first) return { status: "found", webhook: first };
    return make(channel);
  }

  async function make(channel: string): Promise<WebhookFound> {
    const lately = (lostAt.get(channel) ?? []).filter((at) => at > clock.monotonic() - HOUR_MS);
    if (lately.length > MOST_REMADE) {
      hint(
        `webhook often ${channel}`,
        `The bot's webhook in <#${channel}> is deleted again and again, so that personas are named in the text for a while. Let "${NAME}" stand under Edit Channel → Integrations → Webhooks.`,
      );
      return { status: "none" };
    }
    const path = `/channels/${channel}/webhooks` as const;
    const called = await call({ method: RequestMethod.Post, path, body: { name: NAME } }, signal);
    if (!called.ok) return whyNot(channel, called.failure);
    const [webhook] = ownOf(called.data, applicationId);
    if (!webhook) return { status: "failed", failure: { kind: "unsent", reason: "the new webhook is not readable" } };
    remember(own, webhook.id);
    return { status: "found", webhook };
  }

  /** Nothing has been posted in any case; what may have been made is found the next time. */
  function whyNot(channel: string, failure: Failure): WebhookFound {
    if (failure.kind === "unclear") return { status: "failed", failure: { kind: "unsent", reason: failure.reason } };
    if (failure.kind !== "refused" || isNoChannel(failure)) return { status: "failed", failure };
    const words = WHY_NONE.get(failure.code)?.(channel) ?? otherwise(channel, failure);
    hint(`webhook ${failure.code} ${channel}`, words);
    return { status: "none" };
  }

  /** Two who ask at the same time would make two: what is being asked for is not asked for again, but not kept either. */
  function forget(channel: string): void {
    const standing = known.get(channel);
    if (standing?.until === undefined) {
      if (standing) standing.isOutdated = true;
      return;
    }
    known.delete(channel);
  }

  function forgetSome(): void {
    for (const [channel, { until }] of known) if (until !== undefined) known.delete(channel);
  }

  return {
    of(channel) {
      const before = known.get(channel);
      if (before && (before.until === undefined || before.until > clock.monotonic())) return before.found;
      if (known.size >= MOST_CHANNELS) forgetSome();
      const asked: Known = { found: find(channel), until: undefined, isOutdated: false };
      known.set(channel, asked);
      void asked.found.then(({ status }) => {
        // One that stands is good until we are told otherwise.
        asked.until = status === "found" ? Number.POSITIVE_INFINITY : clock.monotonic() + NONE_MS;
        if (status === "failed" || asked.isOutdated) known.delete(channel);
      });
      return asked.found;
    },
    async byId(channel, id) {
      const current = await known.get(channel)?.found;
      if (current?.status === "found" && current.webhook.id === id) return current.webhook;
      const listing = await list(channel);
      return listing.ok ? listing.own.find((one) => one.id === id) : undefined;
    },
    lost(channel, id) {
      // Whoever used it at the same time has said so already, and there may be another by now.
      if (useless.has(id)) return;
      remember(useless, id);
      forget(channel);
      if (lostAt.size >= MOST_CHANNELS) lostAt.clear();
      const lately = (lostAt.get(channel) ?? []).slice(-MOST_REMADE);
      lostAt.set(channel, [...lately, clock.monotonic()]);
    },
    forget,
    isOwn: (id) => own.has(id),
  };
}

const listed = z.object({
  id: z.string(),
  channel_id: z.string(),
  application_id: z.string(),
  token: z.string(),
});

/** Only those of our own application bear buttons, and only their tokens are shown to us. */
function ownOf(webhook: unknown, applicationId: string): readonly Listed[] {
  const { data } = listed.safeParse(webhook);
  if (data?.application_id !== applicationId) return [];
  return [{ id: data.id, token: data.token, channelId: data.channel_id }];
}

/** There is nowhere to post, in whatever way. */
function isNoChannel({ code }: Refused): boolean {
  return code === CODE.unknownChannel || code === CODE.missingAccess;
}

function otherwise(channel: string, { code, status }: Refused): string {
  const named = code === 0 ? `HTTP status ${status}` : String(code);
  return `Discord gives the bot no webhook in <#${channel}> (${named}), so that personas are named in the text there.`;
}

function remember(ids: Set<string>, id: string): void {
  const [oldest] = ids;
  if (oldest !== undefined && ids.size >= MOST_CHANNELS) ids.delete(oldest);
  ids.add(id);
}
