import type { App, ReceiverEvent } from "@slack/bolt";
import { type Clock, type Logger, TroupeError } from "../../../src/index.js";
import { orLate } from "../../shared/or-late.js";

/** Takes one thing that Slack has sent; resolves when it has been dealt with, rejects when Slack shall send it again. */
export type Door = (event: ReceiverEvent) => Promise<void>;

/**
 * The way into Bolt for all receivers. Bolt acknowledges events before anybody has seen them; here the acknowledgement waits until the
 * listener is done, so that it means "kept". Commands and clicks are acknowledged by their listener at once. What nobody
 * listens to, or Bolt cannot read, is acknowledged too: it would only come again.
 */
export function createDoor(app: Pick<App, "processEvent">, logger: Logger): Door {
  return async (event) => {
    const isEvent = event.body.type === "event_callback";
    let isCalled = false;
    let answer: unknown;
    const ack = async (response?: unknown) => {
      isCalled = true;
      answer = response;
      if (!isEvent) await event.ack(response);
    };
    await app.processEvent({ ...event, ack }).catch((error: unknown) => {
      if (isEvent && error instanceof TroupeError && error.retryable) throw error;
      logger.warn({ type: event.body.type, error }, "something from Slack could not be read");
    });
    if (isEvent || !isCalled) await event.ack(answer);
  };
}

/** A door that can be closed. */
export interface Gate {
  readonly door: Door;
  /** Turns away what comes from now on, and resolves when nobody is inside any more, or after `ms`. */
  close(ms: number, clock: Clock): Promise<void>;
}

export function createGate(door: Door): Gate {
  const inside = new Set<Promise<void>>();
  let isOpen = true;
  return {
    door(event) {
      if (!isOpen) return Promise.reject(new Error("The adapter stops; Slack will send it again."));
      const visit = door(event).finally(() => inside.delete(visit));
      inside.add(visit);
      return visit;
    },
    async close(ms, clock) {
      isOpen = false;
      await orLate(Promise.allSettled(inside), ms, clock, undefined);
    },
  };
}
