import type { Identity, Post, PostBody } from "../../../src/index.js";
import type { Hint } from "../../shared/hints.js";
import type { SlackClients } from "../clients.js";
import { placeOf } from "../place.js";
import type { Identities } from "./identity.js";
import type { Standing } from "./lookup.js";
import { isTokenRefusal, type Refused, reasonOf } from "./results.js";
import { type ShowingDeps, type Shown, show, type Voice } from "./showing.js";

export interface PostingDeps extends ShowingDeps {
  readonly clients: SlackClients;
  readonly identities: Identities;
  readonly hint: Hint;
}

/** Posts one part. `standing`: pieces of it that stand already, from an earlier attempt that broke off. */
export type Posting = (post: Post, standing: Standing | undefined, signal: AbortSignal) => Promise<Shown>;

/** Where a persona's own app cannot speak, the main app may. */
const NOT_THERE = new Set(["channel_not_found", "missing_scope", "not_in_channel"]);

/**
 * Posts under a persona's name: with its own token where it has one, else through the main app with name and picture, else with its
 * name in the text. Everything with a button is the main app's.
 */
export function createPosting(deps: PostingDeps): Posting {
  const { clients, identities, hint } = deps;

  function mainVoice({ identity, body }: Post): Voice {
    if (identity === undefined) return { client: clients.posts(), look: {} };
    return {
      client: clients.posts(),
      look: identities.lookOf(identity),
      ...speaking(body, identities.speakerOf(identity)),
    };
  }

  function voiceOf(post: Post): Voice {
    const { identity, body } = post;
    const hasButtons = body.kind === "view" && (body.view.buttons ?? []).length > 0;
    const own = identity === undefined || hasButtons ? clients.posts() : clients.posts(identity.name);
    return own === clients.posts() ? mainVoice(post) : { client: own, look: {} };
  }

  /** Once more without a look, in case that was what Slack did not like. */
  async function withoutLook(
    post: Post,
    identity: Identity,
    refused: Refused,
    say: (voice: Voice) => Promise<Shown>,
  ): Promise<Shown> {
    const shown = await say({ client: clients.posts(), look: {}, ...speaking(post.body, identity.displayName) });
    if (shown.ok) identities.learn(refused, identity);
    return shown;
  }

  return async (post, standing, signal) => {
    const say = (voice: Voice) => show(deps, { post, place: placeOf(post.session), voice, standing }, signal);
    const voice = voiceOf(post);
    let shown = await say(voice);
    const { identity } = post;
    if (identity === undefined || shown.ok || shown.failure.kind !== "refused") return shown;
    let used = voice;
    if (voice.client !== clients.posts() && (NOT_THERE.has(shown.failure.code) || isTokenRefusal(shown.failure))) {
      hint(
        `own app ${identity.name}`,
        `The app of ${identity.name} cannot post, so that the main app does. ${reasonOf(shown.failure)}.`,
      );
      used = mainVoice(post);
      shown = await say(used);
    }
    if (shown.ok || shown.failure.kind !== "refused" || !identities.isSuspect(shown.failure, used.look)) return shown;
    return withoutLook(post, identity, shown.failure, say);
  };
}

/** A view names the persona where it has to. */
function speaking(body: PostBody, speaker: string | undefined): { readonly speaker?: string } {
  return body.kind === "view" || speaker === undefined ? {} : { speaker };
}
