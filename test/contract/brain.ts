import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Persona } from "../../src/domain/persona.js";
import type { Brain, BrainEvent, Turn } from "../../src/ports/brain.js";
import { createFakeClock, type FakeClock } from "../support/fake-clock.js";
import { drive, endOf, eventsOf, fakeTool, runToEnd, turnFixture, typesOf } from "../support/turn-fixture.js";

/** What a brain is made to do in its next turn, whatever kind it is. `hang`: it goes quiet, and never ends by itself. */
export type Plan = readonly (
  | { readonly do: "say"; readonly text: string }
  | { readonly do: "call"; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly do: "hang" }
  | { readonly do: "fail" }
)[];

/** A brain under test. */
export interface BrainUnderTest {
  readonly brain: Brain;
  /** Arranges the next turn, and gives the persona to run it with. */
  arrange(plan: Plan): Persona;
  /** Ends what the harness itself runs. */
  close(): Promise<void>;
}

/** What every brain promises, on a clock that the suite drives. */
export function brainContract(name: string, open: (clock: FakeClock) => Promise<BrainUnderTest>): void {
  describe(`${name} as a brain`, () => {
    let clock: FakeClock;
    let tested: BrainUnderTest;
    beforeEach(async () => {
      clock = createFakeClock();
      tested = await open(clock);
    });
    afterEach(async () => {
      await tested.brain.close();
      await tested.close();
    });
    const start = (plan: Plan, over: Partial<Turn> = {}) => {
      const persona = tested.arrange(plan);
      return tested.brain.run(turnFixture({ persona, ...over }));
    };
    const events = (plan: Plan, over: Partial<Turn> = {}) => eventsOf(start(plan, over));

    it("ends a plain turn once, with the reply, and leaves no timer", async () => {
      const all = await events([{ do: "say", text: "Looks good." }]);

      expect(endOf(all)).toMatchObject({ reason: "done", text: "Looks good." });
      expect(textOf(all)).toBe("Looks good.");
      expect(clock.pending).toBe(0);
    });

    it("calls a tool with its input and shows the start and the end of the call", async () => {
      const tool = fakeTool("list_room");

      const all = await events(
        [
          { do: "call", tool: "list_room", input: { text: "x" } },
          { do: "say", text: "Two." },
        ],
        { tools: [tool] },
      );

      expect(tool.calls.map((call) => call.input)).toEqual([{ text: "x" }]);
      const call = tool.calls[0];
      expect(callEvents(all)).toEqual([`start list_room ${call?.callId}`, `end true ${call?.callId}`]);
      expect(endOf(all)).toMatchObject({ reason: "done", text: "Two." });
    });

    it("runs the calls of one turn one after the other, in order, each under an id of its own", async () => {
      let release: () => void = () => undefined;
      const first = fakeTool("first", { until: new Promise<void>((resolve) => (release = resolve)) });
      const second = fakeTool("second");
      const running = events(
        [
          { do: "call", tool: "first", input: {} },
          { do: "call", tool: "second", input: {} },
          { do: "say", text: "Done." },
        ],
        { tools: [first, second] },
      );

      await first.called;
      const early = second.calls.length;
      release();
      const all = await running;

      expect(early).toBe(0);
      expect(second.calls).toHaveLength(1);
      expect(first.calls[0]?.callId).not.toBe(second.calls[0]?.callId);
      expect(endOf(all).text).toBe("Done.");
    });

    it("goes on when a tool refuses", async () => {
      const tool = fakeTool("send_message", { result: { ok: false, text: "No such persona." } });

      const all = await events(
        [
          { do: "call", tool: "send_message", input: { to: "x" } },
          { do: "say", text: "Sorry." },
        ],
        { tools: [tool] },
      );

      expect(all).toContainEqual(
        expect.objectContaining({ type: "tool-end", ok: false, outputPreview: "No such persona." }),
      );
      expect(endOf(all)).toMatchObject({ reason: "done", text: "Sorry." });
    });

    it("ends silently at idle", async () => {
      const idle = fakeTool("idle", { class: "idle" });

      const all = await events(
        [
          { do: "call", tool: "idle", input: {} },
          { do: "say", text: "Too late." },
        ],
        { tools: [idle] },
      );

      expect(endOf(all)).toMatchObject({ reason: "idle", text: "" });
      expect(textOf(all)).toBe("");
    });

    it("ends once, and every started call too, when it calls a tool that it does not have", async () => {
      const all = await events([
        { do: "call", tool: "nothing", input: {} },
        { do: "say", text: "Well." },
      ]);

      endOf(all);
      expect(callEvents(all).filter((event) => event.startsWith("end true"))).toEqual([]);
      expect(unendedCalls(all)).toEqual([]);
    });

    it("ends as failed, with a line for the room and nothing to post, when it fails", async () => {
      const end = endOf(await events([{ do: "fail" }]));

      expect(end).toMatchObject({ reason: "failed", text: "" });
      expect(end.failure?.safeMessage).not.toBe("");
      expect(end.history).toBeUndefined();
    });

    it("is cancelled before it starts by a signal that is aborted already", async () => {
      const all = await events([{ do: "say", text: "Never." }], { signal: AbortSignal.abort() });

      expect(all).toEqual([{ type: "end", reason: "cancelled", text: "" }]);
    });

    it("is cancelled in the middle of its text, and says nothing after it", async () => {
      const abort = new AbortController();
      const running = start([{ do: "say", text: "First half." }, { do: "hang" }], { signal: abort.signal });

      const all: BrainEvent[] = [];
      for await (const event of running) {
        all.push(event);
        if (event.type === "text") abort.abort("any reason");
      }

      expect(endOf(all)).toEqual({ type: "end", reason: "cancelled", text: "" });
      expect(typesOf(all)).toBe("text end");
      expect(clock.pending).toBe(0);
    });

    it("is cancelled while a tool runs that never ends, and ends the call itself", async () => {
      const abort = new AbortController();
      const tool = fakeTool("list_room", { until: new Promise(() => undefined) });
      const running = events([{ do: "call", tool: "list_room", input: {} }], { tools: [tool], signal: abort.signal });

      await tool.called;
      abort.abort();
      const all = await running;

      expect(endOf(all).reason).toBe("cancelled");
      expect(unendedCalls(all)).toEqual([]);
    });

    it("fails as timed out at its deadline", async () => {
      const limits = { steps: 8, wallMs: 1_000, stallMs: 600_000, outputTokens: 100 };
      const running = start([{ do: "say", text: "First half." }, { do: "hang" }], { limits })[Symbol.asyncIterator]();

      const first = await running.next();
      const last = await drive(clock, 1_000, running.next());

      expect(first.value).toMatchObject({ type: "text" });
      expect(last.value).toMatchObject({
        type: "end",
        reason: "failed",
        text: "",
        failure: { class: "timeout", retryable: true },
      });
    });

    it("refuses a second turn of the same agent session, and takes one of another", async () => {
      const abort = new AbortController();
      const first = start([{ do: "say", text: "First." }, { do: "hang" }], { signal: abort.signal })[
        Symbol.asyncIterator
      ]();
      await first.next();

      const second = events([{ do: "say", text: "Second." }]);
      const elsewhere = events([{ do: "say", text: "Elsewhere." }], {
        session: "web:local:other",
        room: "web:local:other",
      });

      await expect(second).rejects.toThrow(TypeError);
      expect(endOf(await elsewhere).text).toBe("Elsewhere.");
      abort.abort();
      expect((await first.next()).value).toMatchObject({ type: "end", reason: "cancelled" });
      await first.next();
    });

    it("runs the next turn after one that was cancelled, and after one that nobody listened to the end of", async () => {
      const abort = new AbortController();
      for await (const event of start([{ do: "say", text: "One." }, { do: "hang" }], { signal: abort.signal })) {
        if (event.type === "text") abort.abort();
      }
      for await (const _ of start([{ do: "say", text: "Two." }, { do: "hang" }])) break;

      const end = endOf(await events([{ do: "say", text: "Three." }]));

      expect(end.text).toBe("Three.");
      expect(clock.pending).toBe(0);
    });

    it("cancels running turns when it closes", async () => {
      const running = start([{ do: "say", text: "One." }, { do: "hang" }])[Symbol.asyncIterator]();
      await running.next();

      await tested.brain.close();

      expect((await running.next()).value).toMatchObject({ type: "end", reason: "cancelled" });
    });

    it("goes on or fails, but does not throw, when a tool breaks its promise", async () => {
      const broken = { ...fakeTool("list_room"), run: () => Promise.reject(new Error("broken")) };
      const persona = tested.arrange([
        { do: "call", tool: "list_room", input: {} },
        { do: "say", text: "Anyway." },
      ]);

      const end = await runToEnd(tested.brain, turnFixture({ persona, tools: [broken] }));

      expect(["done", "failed"]).toContain(end.reason);
    });
  });
}

function textOf(events: readonly BrainEvent[]): string {
  return events.map((event) => (event.type === "text" && event.channel === "final" ? event.delta : "")).join("");
}

function callEvents(events: readonly BrainEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === "tool-start") return [`start ${event.name} ${event.callId}`];
    return event.type === "tool-end" ? [`end ${event.ok} ${event.callId}`] : [];
  });
}

/** Calls that were started and not ended. */
function unendedCalls(events: readonly BrainEvent[]): readonly string[] {
  const ended = new Set(events.flatMap((event) => (event.type === "tool-end" ? [event.callId] : [])));
  return events.flatMap((event) => (event.type === "tool-start" && !ended.has(event.callId) ? [event.callId] : []));
}
