import type { MessageEntry } from "../domain/entry.js";
import type { Part } from "../domain/outcome.js";
import type { Pair } from "../domain/pair.js";
import type { Room } from "../domain/room.js";
import { readBurstOf, suppressionNotice } from "./budget.js";
import type { ChangeParts } from "./change-parts.js";
import type { EngineContext } from "./context.js";
import { guardMessage } from "./guard/check.js";

/** An agent's message on its way to another persona of its session. */
export interface Delivery {
  readonly room: Room;
  /** For one that is about to be appended: as it will stand; its `seq` orders the notices. */
  readonly message: MessageEntry;
  readonly receiver: string;
  readonly budget: number;
  /** The message is not in the log yet and adds one to the burst. */
  readonly pending: boolean;
}

/**
 * What becomes of a delivery. `parts` belong into the commit that accepts it (`accepted`) or records the part of its
 * outcome (the others): check and acceptance are one.
 */
export type Acceptance =
  | { readonly result: "accepted"; readonly parts: Partial<ChangeParts> }
  | {
      readonly result: "suppressed" | "held" | "refused";
      readonly part: Part;
      readonly parts: Partial<ChangeParts>;
      readonly pair?: Pair;
    };

/**
 * The one place that every agent→agent delivery passes: a mention in the room, `send_message`, a continued message. It
 * only decides. The budget comes before the guard: a suppressed message is no exchange (behaviour 0.8, 0.10, 0.11).
 */
export async function acceptDelivery(context: EngineContext, delivery: Delivery): Promise<Acceptance> {
  const { message, receiver, budget, pending } = delivery;
  const { session } = message;
  const burst = await readBurstOf(context.store, message, budget);
  const used = burst.used + (pending ? 1 : 0);
  if (used >= budget) {
    context.meter.suppressed();
    context.logger.info({ session, receiver, used, budget }, "burst budget used up");
    const parts = await suppressionNotice(context, {
      session,
      burst: { used, budget },
      persona: receiver,
      entry: message,
    });
    return { result: "suppressed", part: { persona: receiver, result: "suppressed" }, parts };
  }
  const settings = await context.rooms.guard(delivery.room);
  const guarded = await guardMessage(context, {
    message,
    from: { session, agent: message.sender.id },
    to: { session, agent: receiver },
    settings,
  });
  if (guarded.result === "accepted") return guarded;
  if (guarded.result === "held") {
    const { ref, parts, pair } = guarded;
    return { result: "held", part: { persona: receiver, result: "held", ref }, parts, pair };
  }
  return {
    result: "refused",
    part: { persona: receiver, result: "refused", ref: "held_full" },
    parts: guarded.parts,
    pair: guarded.pair,
  };
}
