import { type Agent, type IncomingMessage, request } from "node:http";

export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

export interface Call {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Keeps connections; without one, each call has its own. */
  readonly agent?: Agent;
}

/** One request. Unlike `fetch`, it sends the Host and Origin that a test names. */
export function call(port: number, path: string, options: Call = {}): Promise<Answered> {
  const { method = "GET", key, body, agent = false } = options;
  const headers = { ...bearer(key), ...options.headers };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, agent, headers });
    sent.on("error", reject);
    sent.on("response", async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk);
      } catch (error) {
        return reject(error);
      }
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(chunks).toString("utf8"),
      });
    });
    sent.end(body);
  });
}

/** The parsed JSON body. */
export function json(answered: Answered): unknown {
  return JSON.parse(answered.text);
}

/** An `Authorization` header with the key, or none. */
export function bearer(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

export interface StreamedEvent {
  readonly event: string;
  readonly id?: number;
  readonly data: unknown;
}

/** A client of an event stream. */
export interface EventClient {
  readonly status: number;
  /** The next event, or `undefined` at the stream's end. */
  next(): Promise<StreamedEvent | undefined>;
  /** The next event of this name, skipping others. */
  nextOf(event: string): Promise<StreamedEvent>;
  /** Comments seen so far. */
  readonly comments: readonly string[];
  /** Hangs up. */
  drop(): void;
}

/** Opens an event stream; resolves with the response's head. */
export function openEvents(
  port: number,
  { room, key, after }: { readonly room: string; readonly key: string; readonly after?: number },
): Promise<EventClient> {
  const headers = { ...bearer(key), ...(after === undefined ? {} : { "last-event-id": String(after) }) };
  return new Promise((resolve, reject) => {
    const path = `/api/events?room=${encodeURIComponent(room)}`;
    const sent = request({ host: "127.0.0.1", port, path, agent: false, headers });
    sent.on("error", reject);
    sent.on("response", (response) => resolve(eventClient(response)));
    sent.end();
  });
}

function eventClient(response: IncomingMessage): EventClient {
  const comments: string[] = [];
  const events = parsed(response, comments);
  const next = async () => (await events.next()).value ?? undefined;
  return {
    status: response.statusCode ?? 0,
    comments,
    next,
    async nextOf(name) {
      for (let event = await next(); event; event = await next()) if (event.event === name) return event;
      throw new Error(`the stream ended without ${name}`);
    },
    drop: () => response.destroy(),
  };
}

async function* parsed(response: IncomingMessage, comments: string[]): AsyncGenerator<StreamedEvent, undefined> {
  response.setEncoding("utf8");
  let rest = "";
  for await (const chunk of response) {
    const frames = (rest + chunk).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      if (frame.startsWith(":")) comments.push(frame);
      else yield eventOf(frame);
    }
  }
  return undefined;
}

function eventOf(frame: string): StreamedEvent {
  const fields = new Map(
    frame.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const id = fields.get("id");
  return {
    event: fields.get("event") ?? "message",
    ...(id === undefined ? {} : { id: Number(id) }),
    data: JSON.parse(fields.get("data") ?? "null"),
  };
}
