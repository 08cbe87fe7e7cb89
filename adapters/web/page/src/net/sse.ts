/** One server-sent event. `id` is the last one seen on the stream, as the standard has it. */
export interface SseEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

interface Fields {
  event: string;
  data: string[];
}

/**
 * Reads server-sent events from text that arrives in any pieces, also cut inside a line or between
 * the two characters of a line end. Comments and unknown fields are skipped; an event without data is none.
 */
export function createSseParser(): (chunk: string) => readonly SseEvent[] {
  let rest = "";
  let id = "";
  let fields: Fields = { event: "", data: [] };

  function finish(out: SseEvent[]): void {
    if (fields.data.length > 0) out.push({ event: fields.event || "message", data: fields.data.join("\n"), id });
    fields = { event: "", data: [] };
  }

  function set(name: string, value: string): void {
    if (name === "data") fields.data.push(value);
    else if (name === "event") fields.event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
  }

  function take(line: string, out: SseEvent[]): void {
    const colon = line.indexOf(":");
    if (line === "") finish(out);
    else if (colon < 0) set(line, "");
    else set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ""));
  }

  return (chunk) => {
    const out: SseEvent[] = [];
    rest += chunk;
    // A carriage return at the very end may be the first half of a line end: it waits for the next piece.
    const end = rest.endsWith("\r") ? rest.length - 1 : rest.length;
    const lines = rest.slice(0, end).split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? "") + rest.slice(end);
    for (const line of lines) take(line, out);
    return out;
  };
}
