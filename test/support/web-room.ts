import { call, json, openEvents } from "./http-client.js";

/** An entry as the HTTP interface shows it, as far as tests look. */
export interface ShownEntry {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly sender: { readonly kind: string; readonly id: string; readonly name: string };
  readonly text: string;
  readonly outcome: unknown;
}

export const WEB_ROOM = "web:local:main";

/** A person in the web room of a running service. */
export interface WebPerson {
  /** Resolves when the message is accepted. */
  say(text: string, id?: string): Promise<void>;
  /** Everything in the log. */
  entries(): Promise<readonly ShownEntry[]>;
  /** Messages as `name: text`. */
  lines(): Promise<readonly string[]>;
  /** Resolves when the log holds an entry like this, with all entries so far. */
  until(isIt: (entry: ShownEntry) => boolean): Promise<readonly ShownEntry[]>;
  /** Resolves with the room's state once it is like this. */
  untilRoom(isIt: (room: RoomLike) => boolean): Promise<RoomLike>;
}

/** A room's state, as far as tests look. */
export interface RoomLike {
  readonly roster: readonly { readonly name: string; readonly displayName: string }[];
}

export function webPerson({ port, key }: { readonly port: number; readonly key: string }): WebPerson {
  const path = `/api/rooms/${encodeURIComponent(WEB_ROOM)}`;
  const person: WebPerson = {
    async say(text, id) {
      const body = JSON.stringify({ text, ...(id === undefined ? {} : { id }) });
      const answered = await call(port, `${path}/messages`, { method: "POST", key, body });
      if (answered.status !== 202) throw new Error(`not accepted: ${answered.status} ${answered.text}`);
    },
    async entries() {
      const answered = await call(port, `${path}/entries?limit=500`, { key });
      // Our own service's form, as product.md has it.
      return answered.status === 404 ? [] : (json(answered) as { entries: ShownEntry[] }).entries;
    },
    async lines() {
      const messages = (await person.entries()).filter(({ kind }) => kind === "message");
      return messages.map(({ sender, text }) => `${sender.name}: ${text}`);
    },
    async until(isIt) {
      const events = await openEvents(port, { room: WEB_ROOM, key });
      try {
        // Opened first, read second: what comes in between is an event.
        for (let entries = await person.entries(); ; entries = await person.entries()) {
          if (entries.some(isIt)) return entries;
          if ((await events.next()) === undefined) throw new Error("the service ended the stream");
        }
      } finally {
        events.drop();
      }
    },
    async untilRoom(isIt) {
      const events = await openEvents(port, { room: WEB_ROOM, key });
      try {
        for (;;) {
          const room = (await events.nextOf("room")).data as RoomLike | null;
          if (room !== null && isIt(room)) return room;
        }
      } finally {
        events.drop();
      }
    },
  };
  return person;
}
