import { type Api, ApiError } from "../net/api.js";
import type { WireAnswer } from "../wire.js";
import { newId } from "./new-id.js";
import type { Store } from "./store.js";
import { createVisit, type Visit } from "./visit.js";

const ROOMS_EVERY_MS = 10_000;

/** What a person can do on the page. Nothing here throws: what fails is shown where it was asked for. */
export interface Controller {
  open(room: string): void;
  /** Sends a message or runs a command. A failed message stays, to be sent again with the same id. */
  send(text: string, id?: string): Promise<void>;
  press(action: string, value: string, label: string): Promise<void>;
  loadOlder(): Promise<void>;
  closeCard(id: string): void;
  setFollowing(following: boolean): void;
  stop(): void;
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the text is for Troupe itself and makes no entry. */
function isCommand(text: string): boolean {
  return /^\/(agent|task|schedule)(\s|$)/i.test(text);
}

/** Runs the page against the service until `stop`, or until the key turns out to be wrong. */
export function createController(store: Store, api: Api): Controller {
  let visit: Visit | undefined;
  let stopped = false;
  const timer = setInterval(() => {
    if (document.visibilityState === "visible") void refreshRooms();
  }, ROOMS_EVERY_MS);

  function stop(): void {
    stopped = true;
    clearInterval(timer);
    visit?.leave();
  }

  function endsAll(error: unknown): boolean {
    const isWrongKey = error instanceof ApiError && error.status === 401;
    if (isWrongKey && !stopped) {
      stop();
      store.dispatch({ type: "signed-out", refused: true });
    }
    return isWrongKey;
  }

  async function refreshRooms(): Promise<void> {
    try {
      store.dispatch({ type: "rooms", rooms: await api.rooms() });
    } catch (error) {
      // The banner of the open room tells that the service is away; the list simply stays as it was.
      endsAll(error);
    }
  }

  async function refreshTeam(): Promise<void> {
    try {
      store.dispatch({ type: "team", team: await api.team() });
    } catch (error) {
      // A key that may only read cannot ask; the room's own roster is enough then.
      endsAll(error);
    }
  }

  function answered(at: Visit, answer: WireAnswer | undefined, asked: string): void {
    const standsInLog = answer?.ok === true && answer.public === true;
    if (answer !== undefined && !standsInLog) at.card(answer.view, asked);
  }

  async function command(at: Visit, text: string): Promise<void> {
    try {
      answered(at, (await api.post(at.room, text, newId())).answer, text);
    } catch (error) {
      if (!endsAll(error)) at.card({ text: said(error), tone: "error" }, text);
    }
  }

  async function message(at: Visit, text: string, id: string): Promise<void> {
    at.change({ type: "sending", id, text, at: Date.now() });
    try {
      const { entry, answer } = await api.post(at.room, text, id);
      answered(at, answer, text);
      at.change({ type: "sent", id, entry: entry?.id });
      if (store.get().started.includes(at.room)) await refreshRooms();
    } catch (error) {
      if (!endsAll(error)) at.change({ type: "send-failed", id, problem: said(error) });
    }
  }

  return {
    open(room) {
      visit?.leave();
      store.dispatch({ type: "opened", room });
      visit = createVisit({ store, api, room, endsAll });
      void refreshRooms();
      void refreshTeam();
    },
    async send(text, id = newId()) {
      if (visit !== undefined) await (isCommand(text) ? command(visit, text) : message(visit, text, id));
    },
    async press(action, value, label) {
      const at = visit;
      if (at === undefined) return;
      try {
        answered(at, await api.press(at.room, action, value), label);
      } catch (error) {
        if (!endsAll(error)) at.card({ text: said(error), tone: "error" }, label);
      }
    },
    loadOlder: async () => visit?.loadOlder(),
    closeCard: (id) => visit?.change({ type: "card-closed", id }),
    setFollowing: (following) => visit?.setFollowing(following),
    stop,
  };
}
