import { type InboundSender, type Inbox, type Logger, PlatformError, type SessionId } from "../../../src/index.js";
import { type Accept, createAccept } from "../../shared/inbound.js";
import type { InboundReader } from "./inbound.js";
import { messageEvent } from "./wire.js";

/** Hands events to the inbox. */
export interface EventTaker {
  /** Settles when what the event tells is kept; rejects when it could not be kept now. */
  take(event: unknown): Promise<void>;
  /** The same for something that has been read already. */
  readonly accept: Accept;
}

interface EventTakerOptions {
  readonly inbox: Inbox;
  readonly reader: InboundReader;
  readonly logger: Logger;
  /** Somebody has said something new. */
  readonly onSaid: (session: SessionId, from: InboundSender) => Promise<void>;
  /** A message could not be kept, said at this moment in milliseconds. */
  readonly onLost: (at: number) => void;
}

export function createEventTaker({ inbox, reader, logger, onSaid, onLost }: EventTakerOptions): EventTaker {
  const inOrder = createLanes();

  const keep = createAccept({ platform: "Slack", inbox, onSaid, logger });

  const accept: Accept = async (inbound) => {
    try {
      await keep(inbound);
    } catch (error) {
      logger.warn({ error }, "a message from Slack could not be kept; Slack will send it again");
      if (inbound.kind === "message") onLost(inbound.message.at);
      throw new PlatformError("platform_failed", "the message could not be kept", { cause: error, retryable: true });
    }
  };

  return {
    accept,
    async take(raw) {
      const parsed = messageEvent.safeParse(raw);
      if (!parsed.success) {
        logger.warn({ problem: parsed.error.issues[0]?.path.join(".") }, "an event from Slack has not the form of one");
        return;
      }
      const event = parsed.data;
      const place = { channel: event.channel, ts: event.ts };
      const inbound = await inOrder(event.channel, reader.event(event));
      if (inbound.kind === "nothing") logger.debug({ ...place, reason: inbound.reason }, "an event was left out");
      await accept(inbound);
    },
  };
}

/** Lets what takes longer to read not be overtaken by what came later in the same channel. */
function createLanes() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(lane: string, reading: Promise<T>): Promise<T> => {
    const turn = Promise.all([reading, last.get(lane)]);
    const done = turn.then(
      () => undefined,
      () => undefined,
    );
    last.set(lane, done);
    try {
      const [read] = await turn;
      return read;
    } finally {
      if (last.get(lane) === done) last.delete(lane);
    }
  };
}
