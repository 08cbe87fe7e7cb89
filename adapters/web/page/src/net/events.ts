import type { StreamEvent, WireEntry } from "../wire.js";
import type { SseEvent } from "./sse.js";

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/**
 * The room event in a server-sent one; `undefined` for one that this page does not know, so that an
 * older page goes on working with a newer service.
 */
export function roomEvent(event: SseEvent): StreamEvent | undefined {
  const value = parse(event.data);
  if (value === undefined) return undefined;
  // The casts below: the stream comes from the service that served this page, so its shapes are the ones compiled in.
  if (event.event === "room") return { type: "room", state: value as Extract<StreamEvent, { type: "room" }>["state"] };
  if (typeof value !== "object" || value === null) return undefined;
  switch (event.event) {
    case "entry":
      return { type: "entry", entry: value as WireEntry };
    case "outcome":
    case "typing":
    case "hint":
      return { ...value, type: event.event } as StreamEvent;
    default:
      return undefined;
  }
}
