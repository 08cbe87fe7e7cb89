import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chatWire } from "./chat-wire.js";
import { geminiWire } from "./gemini-wire.js";
import { messagesWire } from "./messages-wire.js";
import { responsesWire } from "./responses-wire.js";
import { type FakeReply, type FakeRequest, type Json, pieces, record, type SentCall, type Wire } from "./wire.js";

/** What goes wrong with one request. Faults are used up in order, one per request. */
export type Fault =
  /** An error answer. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly message?: string;
    }
  /** The connection breaks, before the answer's head or after its first piece of text. */
  | { readonly kind: "drop"; readonly after: "nothing" | "text" }
  /** The answer stops there, until `go` or for good. */
  | { readonly kind: "pause"; readonly after: "nothing" | "text"; readonly go?: Promise<void> }
  /** An answer that is not the protocol's. */
  | { readonly kind: "garbage" };

/** One request as the server got it. */
export interface Recorded extends FakeRequest {
  readonly wire: Wire["name"];
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The body's bytes as text, and parsed. */
  readonly raw: string;
  readonly body: Json;
  /** Resolves when the answer is complete (`true`) or the client has gone before (`false`). */
  readonly closed: Promise<boolean>;
}

export interface FakeLlm {
  /** Where each provider's client has to look. */
  readonly url: string;
  readonly requests: readonly Recorded[];
  /** Answers from now on. */
  script(answer: (request: FakeRequest) => FakeReply): void;
  fail(...faults: readonly Fault[]): void;
  /** Resolves with the request of this number, from 1, once its answer has got as far as the fault lets it. */
  reached(count: number): Promise<Recorded>;
  close(): Promise<void>;
}

const WIRES: readonly Wire[] = [chatWire, responsesWire, messagesWire, geminiWire];

/**
 * A model server on the loopback that speaks four protocols, streaming and not, close enough for the real clients. It answers what
 * its script says, by default the last text it was sent.
 */
export async function startFakeLlm(): Promise<FakeLlm> {
  const requests: Recorded[] = [];
  const faults: Fault[] = [];
  const waiting: { readonly count: number; readonly resolve: (request: Recorded) => void }[] = [];
  let answer: (request: FakeRequest) => FakeReply = (request) => ({ text: request.lastText });
  let answered = 0;

  const onReached = () => {
    answered += 1;
    for (const waiter of waiting) {
      const request = requests[waiter.count - 1];
      if (waiter.count <= answered && request !== undefined) waiter.resolve(request);
    }
  };
  const server = createServer((incoming, response) => {
    void handle(incoming, response, { requests, faults, answer: (request) => answer(request), onReached });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server's address is never a path.
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    script(next) {
      answer = next;
    },
    fail(...next) {
      faults.push(...next);
    },
    reached(count) {
      return new Promise((resolve) => {
        const request = requests[count - 1];
        if (count <= answered && request !== undefined) resolve(request);
        else waiting.push({ count, resolve });
      });
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Handling {
  readonly requests: Recorded[];
  readonly faults: Fault[];
  readonly answer: (request: FakeRequest) => FakeReply;
  readonly onReached: () => void;
}

async function handle(incoming: IncomingMessage, response: ServerResponse, handling: Handling): Promise<void> {
  const path = (incoming.url ?? "").split("?", 1)[0] ?? "";
  const wire = WIRES.find((candidate) => candidate.matches(path));
  const raw = await readAll(incoming);
  if (wire === undefined) {
    response.writeHead(404).end();
    return;
  }
  const body = record(JSON.parse(raw));
  const request = wire.read(body, path);
  const closed = new Promise<boolean>((resolve) => response.once("close", () => resolve(response.writableFinished)));
  handling.requests.push({ ...request, wire: wire.name, path, headers: incoming.headers, raw, body, closed });
  const fault = handling.faults.shift();
  if (fault?.kind === "status") sendStatus(response, wire, fault);
  else if (fault?.kind === "garbage") sendGarbage(response, request.stream);
  else
    await sendReply(response, { wire, request, reply: handling.answer(request), fault, onReached: handling.onReached });
  if (fault?.kind !== "pause") handling.onReached();
}

function sendStatus(response: ServerResponse, wire: Wire, fault: Extract<Fault, { kind: "status" }>): void {
  response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers });
  response.end(JSON.stringify(wire.error(fault.status, fault.message ?? `fake failure ${fault.status}`)));
}

function sendGarbage(response: ServerResponse, stream: boolean): void {
  response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
  response.end(stream ? 'data: {"unfinished": \n\n' : "{unfinished");
}

interface Sending {
  readonly wire: Wire;
  readonly request: FakeRequest;
  readonly reply: FakeReply;
  readonly fault: Fault | undefined;
  readonly onReached: () => void;
}

async function sendReply(response: ServerResponse, sending: Sending): Promise<void> {
  const { wire, request, reply, fault } = sending;
  const calls = (reply.calls ?? []).map(
    (call, index): SentCall => ({
      id: call.id ?? `call_${index + 1}`,
      name: call.name,
      args: typeof call.input === "string" ? call.input : JSON.stringify(call.input),
    }),
  );
  const chunks = request.stream
    ? wire.chunks(reply, calls, request.model)
    : [JSON.stringify(wire.whole(reply, calls, request.model))];
  const stops = fault?.kind === "drop" || fault?.kind === "pause";
  const stopAt = stops ? stopAfter(fault.after, chunks, reply) : chunks.length;
  if (stopAt > 0)
    response.writeHead(200, { "content-type": request.stream ? "text/event-stream" : "application/json" });
  for (const chunk of chunks.slice(0, stopAt)) await write(response, chunk);
  if (fault?.kind === "drop") {
    response.destroy();
    return;
  }
  if (fault?.kind === "pause") {
    sending.onReached();
    await (fault.go ?? new Promise(() => undefined));
    if (stopAt === 0) response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunks.slice(stopAt)) await write(response, chunk);
  }
  response.end();
}

/** How many chunks are sent before the fault. */
function stopAfter(after: "nothing" | "text", chunks: readonly string[], reply: FakeReply): number {
  if (after === "nothing") return 0;
  const first = pieces(reply.text ?? "")[0] ?? "";
  return chunks.findIndex((chunk) => chunk.includes(first)) + 1;
}

/** Each chunk leaves by itself, as it does from a model. */
function write(response: ServerResponse, chunk: string): Promise<void> {
  return new Promise((resolve) => response.write(chunk, () => resolve()));
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
