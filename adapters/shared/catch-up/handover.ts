import type { Clock, InboundMessage, Inbox, SessionId } from "../../../src/index.js";

interface HandoverOptions {
  readonly inbox: Pick<Inbox, "missed">;
  /** Hands a message to the inbox as a live one. */
  readonly take: (message: InboundMessage) => Promise<void>;
  /** What is older is kept, but not answered any more. */
  readonly windowMs: number;
  readonly clock: Clock;
}

/** Hands over what was said meanwhile, oldest first; what is known already changes nothing. */
export async function handOver(
  { inbox, take, windowMs, clock }: HandoverOptions,
  messages: readonly InboundMessage[],
): Promise<void> {
  const isFresh = ({ at }: InboundMessage) => clock.now() - at <= windowMs;
  const missed = new Map<SessionId, InboundMessage[]>();
  for (const message of messages) {
    if (!isFresh(message)) missed.set(message.session, [...(missed.get(message.session) ?? []), message]);
  }
  for (const [session, late] of missed) await inbox.missed(session, late);
  for (const message of messages) if (isFresh(message)) await take(message);
}
