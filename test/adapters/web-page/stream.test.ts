import { describe, expect, it } from "vitest";
import { roomEvent } from "../../../adapters/web/page/src/net/events.js";
import { backoffMs, type Connection, keepStream } from "../../../adapters/web/page/src/net/stream.js";

function bodyOf(text: string): Response {
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

/** Runs the loop over the given answers; every wait ends at once, and the wait after the last answer ends the loop. */
async function run(answers: readonly (Response | Error)[], isFinal: (error: unknown) => boolean = () => false) {
  const ending = new AbortController();
  const seen: string[] = [];
  const connections: Connection[] = [];
  let at = 0;
  const ended = keepStream({
    async open() {
      const answer = answers[at++];
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error("nothing left");
      return answer;
    },
    onEvent: (event) => seen.push(event.data),
    onConnection(connection) {
      connections.push(connection);
      if (connection.state === "waiting" && at >= answers.length) ending.abort();
    },
    isFinal,
    signal: ending.signal,
    retryNow(callback) {
      const immediate = setImmediate(callback);
      return () => clearImmediate(immediate);
    },
  });
  return { ended, seen, connections };
}

describe("the event stream's loop", () => {
  it("comes back after an end, a refusal and a failure, and goes on reading", async () => {
    const { ended, seen, connections } = await run([
      bodyOf("data: 1\n\n"),
      new Response("", { status: 503 }),
      new Error("no network"),
      bodyOf("data: 2\n\n"),
    ]);

    await ended;

    expect(seen).toEqual(["1", "2"]);
    const states = connections.map(({ state }) => state);
    expect(states).toEqual(["connecting", "live", "waiting", "waiting", "waiting", "live", "waiting"]);
  });

  it("ends for good with a refusal that is final", async () => {
    const wrong = new Error("wrong key");
    const { ended } = await run([wrong, bodyOf("data: 1\n\n")], (error) => error === wrong);

    await expect(ended).rejects.toBe(wrong);
  });

  it("waits longer after each failure, up to fifteen seconds", () => {
    const waits = [1, 2, 3, 4, 5, 6, 50].map((attempt) => backoffMs(attempt, 1));

    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(backoffMs(1, 0)).toBe(375);
  });
});

describe("a room's events", () => {
  it.each([
    ["room", "null", { type: "room", state: null }],
    ["typing", '{"persona":"alpha","on":true}', { type: "typing", persona: "alpha", on: true }],
    [
      "outcome",
      '{"seq":3,"outcome":{"kind":"superseded"}}',
      { type: "outcome", seq: 3, outcome: { kind: "superseded" } },
    ],
    ["hint", '{"view":{"text":"a"}}', { type: "hint", view: { text: "a" } }],
    ["entry", '{"seq":1}', { type: "entry", entry: { seq: 1 } }],
  ])("reads %s", (event, data, expected) => {
    expect(roomEvent({ event, data, id: "" })).toEqual(expected);
  });

  it("skips what it does not know and what is no JSON", () => {
    expect(roomEvent({ event: "later", data: "{}", id: "" })).toBeUndefined();
    expect(roomEvent({ event: "entry", data: "{", id: "" })).toBeUndefined();
    expect(roomEvent({ event: "entry", data: "3", id: "" })).toBeUndefined();
  });
});
