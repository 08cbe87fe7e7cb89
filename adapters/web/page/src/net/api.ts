import { MAIN_ROOM } from "../text/room-names.js";
import type { RoomState, RoomSummary, TeamPersona, WireAnswer, WireEntry } from "../wire.js";

/** The service refused or could not be reached; `message` can be shown as it is. `status` 0: not reached. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

const CALL_TIMEOUT_MS = 20_000;

/** What posting a message gave: an entry of the log, or the answer to a command. */
export interface Posted {
  readonly entry: WireEntry | null;
  readonly answer?: WireAnswer;
}

export interface Api {
  rooms(): Promise<readonly RoomSummary[]>;
  /** `null` for a room that does not exist yet. */
  room(id: string): Promise<RoomState | null>;
  entries(id: string, after: number, limit: number): Promise<readonly WireEntry[]>;
  post(room: string, text: string, id: string): Promise<Posted>;
  /** Every persona of the team. */
  team(): Promise<readonly TeamPersona[]>;
  press(room: string, action: string, value: string): Promise<WireAnswer>;
  events(room: string, lastId: number, signal: AbortSignal): Promise<Response>;
}

const REFUSALS: Readonly<Record<number, string>> = {
  401: "This key is not valid here.",
  403: "The service refused this address. Open the page by the link that it printed.",
  413: "This message is too long. The limit is 100,000 characters.",
  429: "Too much at once. Wait a moment and try again.",
  503: "The service is not ready yet. Try again in a moment.",
};

async function refusal(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  // Cast: every error body of the service has this form; anything else falls through to the table.
  const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message;
  const known = REFUSALS[response.status] ?? `The service answered ${response.status}.`;
  return new ApiError(response.status, typeof message === "string" && message !== "" ? message : known);
}

/** The HTTP interface with the person's key. Every call has a deadline; every failure is an `ApiError`. */
export function createApi(key: string, base = "."): Api {
  const headers = { Authorization: `Bearer ${key}` };

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const signal = init.signal ?? AbortSignal.timeout(CALL_TIMEOUT_MS);
    const response = await fetch(`${base}/api/${path}`, {
      cache: "no-store",
      ...init,
      signal,
      headers: { ...headers, ...init.headers },
    }).catch(() => {
      throw new ApiError(0, "The service cannot be reached. Is it running?");
    });
    if (!response.ok) throw await refusal(response);
    return response;
  }

  async function send<T>(path: string, body: unknown): Promise<T> {
    const response = await call(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    // Cast: the shapes are the service's own contract.
    return (await response.json()) as T;
  }

  const at = (room: string): string => `rooms/${encodeURIComponent(room)}`;

  return {
    async rooms() {
      const body = (await (await call("rooms")).json()) as { rooms: readonly RoomSummary[] };
      return body.rooms;
    },
    async room(id) {
      try {
        return (await (await call(at(id))).json()) as RoomState;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    async entries(id, after, limit) {
      const body = (await (await call(`${at(id)}/entries?after=${after}&limit=${limit}`)).json()) as {
        entries: readonly WireEntry[];
      };
      return body.entries;
    },
    post: (room, text, id) => send<Posted>(`${at(room)}/messages`, { text, id }),
    async team() {
      const { answer } = await send<Posted>(`${at(MAIN_ROOM)}/messages`, { text: "/agent list" });
      return (answer?.data?.personas ?? []) as readonly TeamPersona[];
    },
    press: async (room, action, value) =>
      (await send<{ answer: WireAnswer }>(`${at(room)}/actions`, { action, value })).answer,
    events: (room, lastId, signal) =>
      call(`events?room=${encodeURIComponent(room)}`, {
        signal,
        headers: { Accept: "text/event-stream", "Last-Event-ID": String(lastId) },
      }),
  };
}
