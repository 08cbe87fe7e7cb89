import * as z from "zod";
import type { Outbound } from "../outbound/outbound.js";
import type { EventTaker } from "./events.js";

interface DispatchOptions {
  readonly taker: EventTaker;
  readonly outbound: Pick<Outbound, "threadSeen" | "webhooksChanged">;
  readonly onInteraction: (data: unknown) => void;
}

const id = z.string().optional().catch(undefined);
const channelEvent = z.object({ id, channel_id: id });

/** Gives what the gateway dispatches, by its name on the wire, to whom it is for; most of it is for the library alone. */
export function createDispatch({ taker, outbound, onInteraction }: DispatchOptions) {
  const takers: Readonly<Record<string, (data: unknown) => void>> = {
    INTERACTION_CREATE: onInteraction,
    MESSAGE_CREATE: taker.created,
    MESSAGE_UPDATE: taker.changed,
    MESSAGE_DELETE: taker.deleted,
    MESSAGE_DELETE_BULK: taker.deleted,
    THREAD_CREATE: (data) => withId(channelEvent.safeParse(data).data?.id, outbound.threadSeen),
    CHANNEL_DELETE: (data) => withId(channelEvent.safeParse(data).data?.id, outbound.webhooksChanged),
    WEBHOOKS_UPDATE: (data) => withId(channelEvent.safeParse(data).data?.channel_id, outbound.webhooksChanged),
  };
  return (event: string, data: unknown): void => takers[event]?.(data);
}

function withId(found: string | undefined, use: (id: string) => void): void {
  if (found !== undefined) use(found);
}
