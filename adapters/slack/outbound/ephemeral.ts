import { PlatformError, type SessionId, type View } from "../../../src/index.js";
import type { SlackClients } from "../clients.js";
import { inThread, placeOf } from "../place.js";
import type { Called, Caller } from "./call.js";
import { type Failure, reasonOf } from "./results.js";
import { splitView, viewBlocks, viewFallback } from "./view-blocks.js";

export interface EphemeralDeps {
  readonly call: Caller;
  readonly clients: SlackClients;
  readonly signal: AbortSignal;
}

/**
 * Shows a view to one person, in the session's own thread; to somebody who has left the channel, directly. Rejects with a
 * `PlatformError` when Slack does not take it.
 */
export function createEphemeral({ call, clients, signal }: EphemeralDeps) {
  const ask = (method: string, channel: string, args: Readonly<Record<string, unknown>>) =>
    call({ client: clients.posts(), method, channel, args }, signal);

  async function show(session: SessionId, user: string, view: View): Promise<Called> {
    const place = placeOf(session);
    const { channel } = place;
    const content = { text: viewFallback(view), blocks: viewBlocks(view) };
    const called = await ask("chat.postEphemeral", channel, { channel, user, ...inThread(place), ...content });
    return isAway(called) ? showDirectly(user, view) : called;
  }

  /** A button there would be pressed in another room, so that it goes without. */
  async function showDirectly(user: string, { buttons: _, ...view }: View): Promise<Called> {
    const opened = await ask("conversations.open", user, { users: user });
    const channel = opened.ok ? channelIn(opened.data) : undefined;
    if (channel === undefined) return opened;
    return ask("chat.postMessage", channel, { channel, text: viewFallback(view), blocks: viewBlocks(view) });
  }

  return async (session: SessionId, to: string, view: View): Promise<void> => {
    for (const part of splitView(view)) {
      const called = await show(session, to, part);
      if (!called.ok)
        throw new PlatformError(
          "platform_failed",
          `A message for one person could not be shown: ${wordsOf(called.failure)}`,
        );
    }
  };
}

function isAway(called: Called): boolean {
  return !called.ok && called.failure.kind === "refused" && called.failure.code === "user_not_in_channel";
}

function channelIn(data: object): string | undefined {
  const channel = "channel" in data ? data.channel : undefined;
  if (typeof channel !== "object" || channel === null || !("id" in channel)) return undefined;
  return typeof channel.id === "string" ? channel.id : undefined;
}

function wordsOf(failure: Failure): string {
  switch (failure.kind) {
    case "refused":
      return reasonOf(failure);
    case "limited":
      return "Slack asks to wait";
    default:
      return failure.reason;
  }
}
