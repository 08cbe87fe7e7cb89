import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Action } from "../../../adapters/web/page/src/state/actions.js";
import { mergeEntries, trimmed, WINDOW } from "../../../adapters/web/page/src/state/entries.js";
import { newRoom, type PageState } from "../../../adapters/web/page/src/state/model.js";
import { reduce } from "../../../adapters/web/page/src/state/reduce.js";
import { listRooms } from "../../../adapters/web/page/src/state/room-list.js";
import { message, said } from "./support/entries.js";

const ROOM = "web:local:main";

function page(...actions: readonly Action[]): PageState {
  const start: PageState = {
    key: "k",
    refused: false,
    rooms: [],
    team: [],
    started: [],
    seen: {},
    room: newRoom(ROOM),
  };
  return actions.reduce(reduce, start);
}

function entries(...seqs: readonly number[]): Action {
  return { type: "entries", room: ROOM, entries: seqs.map((seq) => message(seq)), follow: true };
}

const seqsOf = (state: PageState): readonly number[] => state.room.entries.map((entry) => entry.seq);

describe("the room's entries", () => {
  it("hold each entry once and in order, however often and late it comes", () => {
    fc.assert(
      fc.property(fc.nat(40), fc.array(fc.nat(39)), (upTo, repeats) => {
        const known = Array.from({ length: upTo + 1 }, (_, index) => message(index + 1));
        const again = repeats.filter((seq) => seq <= upTo).map((seq) => message(seq + 1));

        const merged = mergeEntries(known, [...again, message(upTo + 2)]);

        const seqs = merged.gap ? [] : merged.entries.map((entry) => entry.seq);
        expect(seqs).toEqual(Array.from({ length: upTo + 2 }, (_, index) => index + 1));
      }),
    );
  });

  it("stay as they are when an entry is missing in between", () => {
    const state = page(entries(1, 2), entries(4));

    expect(seqsOf(state)).toEqual([1, 2]);
  });

  it("take older ones in front", () => {
    const state = page(entries(5, 6), entries(3, 4));

    expect(seqsOf(state)).toEqual([3, 4, 5, 6]);
  });

  it("keep the newest five hundred while the reader follows, and all while the reader looks back", () => {
    const many = Array.from({ length: WINDOW + 20 }, (_, index) => index + 1);

    expect(page(entries(...many)).room.entries.at(0)?.seq).toBe(21);
    expect(page({ ...entries(...many), follow: false } as Action).room.entries).toHaveLength(WINDOW + 20);
    expect(trimmed([message(1)])).toHaveLength(1);
  });

  it("get their outcomes when these come, and keep them over an entry that knows none", () => {
    const outcome = { kind: "ignored", reason: "no_mention" } as const;

    const state = page(entries(1), { type: "outcome", room: ROOM, seq: 1, outcome }, entries(1));

    expect(state.room.entries[0]?.outcome).toEqual(outcome);
  });

  it("are not touched by an outcome of an entry that is not there", () => {
    const before = page(entries(1));

    const after = reduce(before, { type: "outcome", room: ROOM, seq: 9, outcome: { kind: "superseded" } });

    expect(after.room.entries).toBe(before.room.entries);
  });

  it("are not mixed with those of a room that was left", () => {
    const state = page({ type: "opened", room: "web:local:other" }, entries(1));

    expect(seqsOf(state)).toEqual([]);
  });
});

describe("a message on its way", () => {
  const sending: Action = { type: "sending", room: ROOM, id: "m3", text: "hello", at: 1 };

  it("goes when its entry arrives", () => {
    expect(page(entries(1, 2), sending).room.pending).toHaveLength(1);
    expect(page(entries(1, 2), sending, entries(3)).room.pending).toEqual([]);
  });

  it("goes when the entry that the service named arrives, before or after the answer", () => {
    const sent: Action = { type: "sent", room: ROOM, id: "m3", entry: "m4" };
    const own: Action = { ...sending, id: "m3" };

    expect(page(entries(1, 2, 3), own, entries(4), sent).room.pending).toEqual([]);
    expect(page(entries(1, 2, 3), own, sent).room.pending).toMatchObject([{ entry: "m4" }]);
    expect(page(entries(1, 2, 3), own, sent, entries(4)).room.pending).toEqual([]);
  });

  it("stays with its problem when sending failed, and is sent again under the same id", () => {
    const failed = page(sending, { type: "send-failed", room: ROOM, id: "m3", problem: "No connection." });

    expect(failed.room.pending).toMatchObject([{ id: "m3", problem: "No connection." }]);
    expect(reduce(failed, sending).room.pending).toEqual([{ id: "m3", text: "hello", at: 1 }]);
  });
});

describe("typing", () => {
  const typing = (persona: string, on: boolean): Action => ({ type: "typing", room: ROOM, persona, on });

  it("shows each persona once and ends with its word or its message", () => {
    expect(page(typing("alpha", true), typing("alpha", true), typing("beta", true)).room.typing).toEqual([
      "alpha",
      "beta",
    ]);
    expect(page(typing("alpha", true), typing("alpha", false)).room.typing).toEqual([]);

    const spoke: Action = { type: "entries", room: ROOM, entries: [said("alpha", 1)], follow: true };
    expect(page(typing("alpha", true), typing("beta", true), spoke).room.typing).toEqual(["beta"]);
  });
});

describe("the list of rooms", () => {
  const rooms: Action = { type: "rooms", rooms: [{ id: ROOM, personas: [], attention: false, seq: 9 }] };

  it("remembers what was seen of the open room only", () => {
    const state = page(rooms, entries(1, 2), { type: "opened", room: "web:local:next" });

    expect(state.seen).toEqual({ [ROOM]: 2 });
    expect(state.started).toEqual(["web:local:next"]);
  });

  it("lets go of a started room once the service has it", () => {
    const id = "web:local:next";
    const state = page(
      { type: "opened", room: id },
      { type: "rooms", rooms: [{ id, personas: [], attention: false, seq: 1 }] },
    );

    expect(state.started).toEqual([]);
  });
});

describe("the rooms as they are listed", () => {
  const room = (id: string, seq: number, attention = false) => ({ id, personas: [], attention, seq });

  it("begin with the default one, then this platform's by name, then the others", () => {
    const rooms = [room("slack:T:C", 1), room("web:local:zoo", 1), room("web:local:ant", 1)];

    const listed = listRooms(page({ type: "rooms", rooms }, { type: "opened", room: "web:local:new" }));

    expect(listed.map(({ id }) => id)).toEqual([ROOM, "web:local:ant", "web:local:new", "web:local:zoo", "slack:T:C"]);
  });

  it("are unread while they have entries that were not seen, but for the open one", () => {
    const rooms = [room(ROOM, 5), room("web:local:ant", 2, true), room("web:local:bee", 2)];
    const state = { ...page({ type: "rooms", rooms }), seen: { "web:local:bee": 2 } };

    const unread = listRooms(state).map(({ isUnread, attention }) => [isUnread, attention]);

    expect(unread).toEqual([
      [false, false],
      [true, true],
      [false, false],
    ]);
  });
});

describe("a card", () => {
  it("stands after the newest entry, is not part of the log, and can be closed", () => {
    const card: Action = {
      type: "card",
      room: ROOM,
      id: "c1",
      at: 5,
      view: { text: "Two personas." },
      asked: "/agent room",
    };

    const state = page(entries(1, 2), card);

    expect(state.room.cards).toMatchObject([{ id: "c1", after: 2, asked: "/agent room" }]);
    expect(reduce(state, { type: "card-closed", room: ROOM, id: "c1" }).room.cards).toEqual([]);
  });
});

describe("a wrong key", () => {
  it("leaves nothing of the room on the page", () => {
    const state = page(entries(1, 2), { type: "signed-out", refused: true });

    expect(state).toMatchObject({ key: undefined, refused: true });
    expect(state.room.entries).toEqual([]);
  });
});
