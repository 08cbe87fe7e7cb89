import type { Clock, Logger, Platform, Post, PostResult, SessionId, View } from "../../../src/index.js";
import { remember } from "../../shared/bounded-map.js";
import { createHints } from "../../shared/hints.js";
import { keyOf } from "../../shared/posts.js";
import { createScheduler } from "../../shared/scheduler.js";
import type { SlackClients } from "../clients.js";
import { placeOf } from "../place.js";
import type { Workspace } from "../workspace.js";
import { draw, splitBody } from "./blocks.js";
import { createCaller } from "./call.js";
import { createEphemeral } from "./ephemeral.js";
import { createDownload } from "./files.js";
import { shortened } from "./format-pieces.js";
import { createIdentities } from "./identity.js";
import { createLookup, type Standing } from "./lookup.js";
import { createPosting } from "./posting.js";
import { type Failure, resultOf } from "./results.js";
import { metadataOf } from "./showing.js";
import { createTyping } from "./typing.js";

export interface OutboundOptions {
  readonly workspace: Workspace;
  readonly clients: SlackClients;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Posts per second and channel; 0: only what Slack asks for. */
  readonly pace: number;
  /** Gets, once each, what an admin should mend. */
  readonly onAdminHint?: (text: string) => void;
  /** Slack takes the main app's token no more, by this code. */
  readonly onTokenRefused?: (code: string) => void;
}

/** The adapter's way out: everything that shows something in Slack, or fetches it from there. */
export interface Outbound {
  split(body: Post["body"]): readonly Post["body"][];
  post: Platform["post"];
  find: Platform["find"];
  edit: Platform["edit"];
  typing: Platform["typing"];
  ephemeral(session: SessionId, to: string, view: View): Promise<void>;
  download: NonNullable<Platform["download"]>;
  /** Waits end, and nothing is begun any more. */
  stop(): void;
}

/** Longer texts are refused in edits. */
const LONGEST_EDIT = 3_900;
/** Posts that broke off between their pieces, until they are tried again. */
const MOST_PARTLY = 100;

/** Posts, looks up, edits and fetches, through the clients of one workspace. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { workspace, clients, clock, logger, pace } = options;
  const stopping = new AbortController();
  const hint = createHints(logger, options.onAdminHint);
  const scheduler = createScheduler({ clock, pace });
  const call = createCaller({
    scheduler,
    clock,
    // Where a persona's own token is refused, the main app speaks for it.
    onTokenRefused: (client, code) => {
      if (client !== clients.posts()) return;
      hint("token", tokenHint(code));
      options.onTokenRefused?.(code);
    },
  });
  const identities = createIdentities(hint);
  const posting = createPosting({ call, clients, identities, logger, hint });
  const lookUp = createLookup({ call, clients, workspace, clock, hint });
  const typing = createTyping({ call, clients, identities, clock, logger, signal: stopping.signal });
  const partly = new Map<string, Standing>();
  const orStop = (signal: AbortSignal) => AbortSignal.any([signal, stopping.signal]);

  return {
    split: splitBody,
    async post(post, signal) {
      const elsewhere = otherWorkspace(post.session, workspace);
      if (elsewhere) return elsewhere;
      const key = keyOf(post);
      const shown = await posting(post, partly.get(key), orStop(signal));
      if (!shown.ok) return resultOf(shown.failure);
      partly.delete(key);
      return { status: "posted", messageIds: shown.ids };
    },
    async find(post, signal) {
      const sighting = await lookUp(post, orStop(signal));
      if (sighting.status !== "partly") return sighting;
      // The rest is still to be posted: the next attempt goes on from here.
      remember(partly, keyOf(post), sighting.standing, MOST_PARTLY);
      return { status: "absent" };
    },
    async edit(post, messageIds, signal) {
      return otherWorkspace(post.session, workspace) ?? editAll(post, messageIds, orStop(signal));
    },
    async typing(session, identity, on) {
      typing.set(session, identity, on);
    },
    ephemeral: createEphemeral({ call, clients, signal: stopping.signal }),
    download: createDownload({ clients, clock, logger, hint }),
    stop() {
      typing.stop();
      stopping.abort(new DOMException("The adapter stops", "AbortError"));
    },
  };

  /** Part by part; what has become shorter loses its last messages, what has become longer ends with its last part. */
  async function editAll(post: Post, messageIds: readonly string[], signal: AbortSignal): Promise<PostResult> {
    const { channel } = placeOf(post.session);
    const bodies = splitBody(post.body);
    for (const [index, ts] of messageIds.entries()) {
      const isLast = index === messageIds.length - 1;
      const body = isLast ? bodies.slice(index).at(-1) : bodies[index];
      const failure =
        body === undefined ? await remove(channel, ts, signal) : await change(post, { ts, body, index }, signal);
      if (failure) return resultOf(failure);
    }
    return { status: "posted", messageIds };
  }

  async function change(post: Post, { ts, body, index }: Part, signal: AbortSignal): Promise<Failure | undefined> {
    const { channel } = placeOf(post.session);
    const drawn = draw(body).whole ?? draw(body).pieces()[0];
    const args = {
      channel,
      ts,
      ...drawn,
      text: shortened(drawn?.text ?? "", LONGEST_EDIT),
      metadata: metadataOf({ id: post.id, n: index }),
    };
    const called = await call({ client: clients.posts(), method: "chat.update", channel, args }, signal);
    return called.ok ? undefined : called.failure;
  }

  async function remove(channel: string, ts: string, signal: AbortSignal): Promise<Failure | undefined> {
    const called = await call(
      { client: clients.posts(), method: "chat.delete", channel, args: { channel, ts } },
      signal,
    );
    return called.ok || called.failure.kind === "refused" ? undefined : called.failure;
  }
}

interface Part {
  readonly ts: string;
  readonly body: Post["body"];
  readonly index: number;
}

function tokenHint(code: string): string {
  return `Slack does not accept the app's token any more (${code}): posts wait. Reinstall the app, set the new token and restart.`;
}

function otherWorkspace(session: SessionId, { teamId }: Workspace): PostResult | undefined {
  if (placeOf(session).team === teamId) return undefined;
  return { status: "rejected", reason: "the room belongs to another Slack workspace than the token", retry: false };
}
