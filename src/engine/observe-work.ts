import type { BrainEvent } from "../ports/brain.js";
import type { EngineContext } from "./context.js";
import { isMessaging, type Work, workPut } from "./guard/work.js";
import type { TurnSpec } from "./turn-spec.js";

/**
 * Watches a brain's own tools for work: a completed call, or a file that it wrote. Room tools are recorded where they run;
 * failed calls, messages, thoughts and plans are none. Each piece of work is committed before the next event is taken.
 */
export function observeWork(
  context: EngineContext,
  spec: TurnSpec,
  onLost: () => void,
): (event: BrainEvent) => Promise<void> {
  const started = new Map<string, { readonly name: string; readonly input: unknown }>();

  function workOf(event: BrainEvent): Work | undefined {
    switch (event.type) {
      case "tool-start":
        if (event.source !== "room" && !isMessaging(event.input))
          started.set(event.callId, { name: event.name, input: event.input ?? null });
        return undefined;
      case "tool-end": {
        const call = started.get(event.callId);
        started.delete(event.callId);
        return call && event.ok ? { ...call, result: event.outputPreview } : undefined;
      }
      case "file-write":
        return { name: "file-write", input: event.path, result: event.digest ?? "" };
      default:
        return undefined;
    }
  }

  return async (event) => {
    const work = workOf(event);
    if (work === undefined) return;
    const { begun, cursor, persona, room } = spec;
    const put = [await workPut(context.store, begun.session, persona.name, work)];
    const turn = { session: begun.session, fence: begun.fence, from: cursor, to: cursor };
    const { status } = await context.commit({ room: room.id, turn, put });
    if (status !== "ok") onLost();
  };
}
