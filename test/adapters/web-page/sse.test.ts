import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSseParser, type SseEvent } from "../../../adapters/web/page/src/net/sse.js";

const STREAM =
  ': hello\r\nevent: room\ndata: null\n\nid: 7\nevent: entry\ndata: {"seq":7,\ndata: "text":"é 🧭"}\r\n\r\ndata:x\n\n: keep-alive\n\nretry: 10\n\nevent: typing\rdata: {}\r\r';

const EVENTS: readonly SseEvent[] = [
  { event: "room", data: "null", id: "" },
  { event: "entry", data: '{"seq":7,\n"text":"é 🧭"}', id: "7" },
  { event: "message", data: "x", id: "7" },
  { event: "typing", data: "{}", id: "7" },
];

describe("the reader of server-sent events", () => {
  it("reads names, data of several lines, ids that stay, and skips comments and unknown fields", () => {
    const parse = createSseParser();

    const events = [...parse(STREAM), ...parse("\n")];

    expect(events).toEqual(EVENTS);
  });

  it("reads the same events wherever the stream is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 12 }), (cuts) => {
        const parse = createSseParser();
        const ends = [...cuts.sort((a, b) => a - b), STREAM.length];

        const events = ends.flatMap((end, index) => parse(STREAM.slice(ends[index - 1] ?? 0, end)));

        expect([...events, ...parse("\n")]).toEqual(EVENTS);
      }),
    );
  });

  it("gives no event for an end without data, and none before the blank line", () => {
    const parse = createSseParser();

    expect(parse("event: room\n\n")).toEqual([]);
    expect(parse("data: 1\n")).toEqual([]);
    expect(parse("\n")).toEqual([{ event: "message", data: "1", id: "" }]);
  });
});
