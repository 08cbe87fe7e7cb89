import type { RoomId } from "../domain/ids.js";
import type { RoomEvent } from "../ports/reader.js";

/** Tells who is looking that a room has changed. Carries no content: receivers read the store. */
export interface Feed {
  publish(room: RoomId, event: RoomEvent): void;
  /** Tells everybody who looks at any room. */
  broadcast(event: RoomEvent): void;
  subscribe(room: RoomId, listener: (event: RoomEvent) => void): () => void;
}

export function createFeed(): Feed {
  const listeners = new Map<RoomId, Set<(event: RoomEvent) => void>>();
  return {
    publish(room, event) {
      for (const listener of listeners.get(room) ?? []) listener(event);
    },
    broadcast(event) {
      for (const set of listeners.values()) for (const listener of set) listener(event);
    },
    subscribe(room, listener) {
      const set = listeners.get(room) ?? new Set();
      listeners.set(room, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(room);
      };
    },
  };
}
