import type { WireEntry } from "../wire.js";
import type { Action, RoomAction } from "./actions.js";
import { mergeEntries, setOutcome, trimmed } from "./entries.js";
import { newestSeq, newRoom, type OpenRoom, type PageState } from "./model.js";

const MOST_CARDS = 50;

/** The page's next state. Pure: the same state and action give the same state, and nothing else happens. */
export function reduce(state: PageState, action: Action): PageState {
  switch (action.type) {
    case "signed-in":
      return { ...state, key: action.key, refused: false };
    case "signed-out":
      return { ...state, key: undefined, refused: action.refused, room: newRoom(state.room.id) };
    case "rooms":
      return withRooms(state, action.rooms);
    case "team":
      return { ...state, team: action.team };
    case "opened":
      return withStarted({ ...state, room: newRoom(action.room) }, action.room);
    default:
      return action.room === state.room.id ? withSeen({ ...state, room: reduceRoom(state.room, action) }) : state;
  }
}

function withRooms(state: PageState, rooms: PageState["rooms"]): PageState {
  const known = new Set(rooms.map((room) => room.id));
  return withSeen({ ...state, rooms, started: state.started.filter((id) => !known.has(id)) });
}

function withStarted(state: PageState, id: string): PageState {
  const isKnown = state.started.includes(id) || state.rooms.some((room) => room.id === id);
  return isKnown ? state : { ...state, started: [...state.started, id] };
}

/** What is on the screen is seen. */
function withSeen(state: PageState): PageState {
  const seq = newestSeq(state.room);
  if (seq === 0 || state.seen[state.room.id] === seq) return state;
  return { ...state, seen: { ...state.seen, [state.room.id]: seq } };
}

function reduceRoom(room: OpenRoom, action: RoomAction): OpenRoom {
  switch (action.type) {
    case "room":
      return {
        ...room,
        state: action.state,
        typing: (action.state?.roster ?? []).filter((member) => member.busy).map((member) => member.name),
      };
    case "entries":
      return withEntries(room, action.entries, action.follow);
    case "replaced":
      return withoutSent({ ...room, entries: action.entries }, action.entries);
    case "outcome":
      return { ...room, entries: setOutcome(room.entries, action.seq, action.outcome) };
    case "typing": {
      const others = room.typing.filter((persona) => persona !== action.persona);
      return { ...room, typing: action.on ? [...others, action.persona] : others };
    }
    case "connection":
      return { ...room, connection: action.connection };
    case "loading-older":
      return { ...room, loadingOlder: action.on };
    default:
      return reduceOwn(room, action);
  }
}

type OwnAction = Extract<RoomAction, { type: "sending" | "sent" | "send-failed" | "card" | "card-closed" }>;

/** What only this person sees: messages on their way, and cards. */
function reduceOwn(room: OpenRoom, action: OwnAction): OpenRoom {
  const others = room.pending.filter((pending) => pending.id !== action.id);
  switch (action.type) {
    case "sending":
      return { ...room, pending: [...others, { id: action.id, text: action.text, at: action.at }] };
    case "sent":
      return withSent(room, action.id, action.entry);
    case "send-failed":
      return {
        ...room,
        pending: room.pending.map((one) => (one.id === action.id ? { ...one, problem: action.problem } : one)),
      };
    case "card": {
      const { id, at, view, asked } = action;
      const card = { id, at, view, after: newestSeq(room), ...(asked === undefined ? {} : { asked }) };
      return { ...room, cards: [...room.cards, card].slice(-MOST_CARDS) };
    }
    case "card-closed":
      return { ...room, cards: room.cards.filter((card) => card.id !== action.id) };
  }
}

/** The service has taken the message: it goes when its entry is here, and at once when it made none. */
function withSent(room: OpenRoom, id: string, entry: string | undefined): OpenRoom {
  const isHere = entry === undefined || room.entries.some((one) => one.id === entry);
  if (isHere) return { ...room, pending: room.pending.filter((one) => one.id !== id) };
  return { ...room, pending: room.pending.map((one) => (one.id === id ? { ...one, entry } : one)) };
}

/** Entries from the stream or a page. A gap leaves the room as it is; whoever dispatched reads what is missing. */
function withEntries(room: OpenRoom, arrived: readonly WireEntry[], follow: boolean): OpenRoom {
  const merged = mergeEntries(room.entries, arrived);
  if (merged.gap || merged.entries === room.entries) return room;
  return withoutSent({ ...room, entries: follow ? trimmed(merged.entries) : merged.entries }, arrived);
}

/** A pending message whose entry has come is not pending; who has spoken is not typing. */
function withoutSent(room: OpenRoom, arrived: readonly WireEntry[]): OpenRoom {
  const ids = new Set(arrived.map((entry) => entry.id));
  const spoken = new Set(
    arrived.filter((entry) => entry.kind === "message" || entry.kind === "error").map((entry) => entry.sender.id),
  );
  const pending = room.pending.filter((one) => !ids.has(one.entry ?? one.id));
  const typing = room.typing.filter((persona) => !spoken.has(persona));
  return { ...room, pending, typing };
}
