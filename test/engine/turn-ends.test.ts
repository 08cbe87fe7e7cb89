import { describe, expect, it } from "vitest";
import { RECORDS } from "../../src/engine/records.js";
import type { BrainEvent, Turn } from "../../src/ports/brain.js";
import { ROOM, scripted, startRooms } from "../support/rooms.js";

/** A room whose one brain does this in every turn. */
function roomWith(run: (turn: Turn) => AsyncIterable<BrainEvent>) {
  return startRooms({
    personas: [scripted("alpha"), scripted("beta")],
    brains: () => [{ kind: "script", run, close: async () => {} }],
  });
}

async function errorsOf(run: (turn: Turn) => AsyncIterable<BrainEvent>): Promise<readonly string[]> {
  const rooms = await roomWith(run);
  await rooms.say("@alpha go");
  return (await rooms.log()).flatMap(({ entry }) => (entry.kind === "error" ? [`${entry.code}: ${entry.text}`] : []));
}

describe("a turn whose brain", () => {
  it("throws fails with one line that gives nothing away", async () => {
    const errors = await errorsOf(async function* () {
      yield { type: "text", delta: "almost", channel: "final" };
      throw new Error("secret of the vendor");
    });

    expect(errors).toEqual(["internal: Alpha could not answer: an internal error happened; the log has the details."]);
  });

  it("stops without an end fails with one line", async () => {
    const errors = await errorsOf(async function* () {
      yield { type: "text", delta: "half a", channel: "final" };
    });

    expect(errors).toEqual(["protocol: Alpha could not answer: its brain stopped without an answer."]);
  });

  it.each(["failed", "cancelled"] as const)("ends as %s without a reason fails with one line", async (reason) => {
    const errors = await errorsOf(async function* () {
      yield { type: "end", reason, text: "" };
    });

    expect(errors).toEqual(["protocol: Alpha could not answer: its brain stopped without an answer."]);
  });

  it.each([
    ["step-limit", "it used all its steps without an answer."],
    ["token-limit", "it used all its tokens without an answer."],
  ] as const)("ends at its %s without a word fails with one line and can be retried", async (reason, says) => {
    const rooms = await roomWith(async function* () {
      yield { type: "end", reason, text: " \n" };
    });

    await rooms.say("@alpha go");

    const errors = (await rooms.log()).flatMap(({ entry }) => (entry.kind === "error" ? [entry.text] : []));
    expect(errors).toEqual([`Alpha could not answer: ${says}`]);
    expect((await rooms.troupe.reader.room(ROOM))?.notices).toHaveLength(1);
  });

  it("replies without end has the reply cut, visibly and between characters, and its history left out", async () => {
    const rooms = await roomWith(async function* () {
      const history = { brain: "script", messages: ["all of it"] };
      yield { type: "end", reason: "done", text: `\n${"a".repeat(99_940)}${"👍".repeat(500_000)}`, history };
    });

    await rooms.say("@alpha go");

    const { entry } = (await rooms.log()).at(-1) ?? {};
    expect(entry?.text.length).toBeGreaterThan(99_990);
    expect(entry?.text.length).toBeLessThanOrEqual(100_000);
    expect(entry?.text).toMatch(/[^\p{Cs}]\n… \(cut: the reply was longer than 100,000 characters\)$/u);
    expect(entry?.text).not.toMatch(/\p{Cs}/u);
    expect(entry).not.toHaveProperty("history");
  });

  it("sends control characters has them kept out of the log, whatever it is that carries them", async () => {
    let turns = 0;
    const rooms = await roomWith(async function* (turn) {
      turns++;
      if (turns === 2) {
        const failure = { class: "network", retryable: true, safeMessage: "bad \u001b[2Jnews.\u0000" } as const;
        yield { type: "end", reason: "failed", text: "", failure };
        return;
      }
      const tool = (name: string) => turn.tools.find((one) => one.name === name);
      await tool("send_message")?.run("1", { to: "beta", text: "hi\u0000 \u001b[31mred" });
      await tool("list_room")?.run("2", { "\u0007key": ["\u0000", { deep: "\u001b]0;x" }] });
      const history = { brain: "script", messages: [{ text: "\u0000" }] };
      yield { type: "end", reason: "done", text: "one\r\ntwo\u0000\u001b[0m \ud800", history };
    });

    await rooms.say("@alpha go");
    await rooms.quiet();

    const log = await rooms.log();
    expect(log.map(({ entry }) => entry.text)).toContain("one\ntwo[0m \u{fffd}");
    expect(log.map(({ entry }) => entry.kind)).toContain("error");
    expect(JSON.stringify(log)).not.toMatch(/\\u00(?:0|1|7f)/);
  });

  it("is not set up fails with one line that names its kind", async () => {
    const rooms = await startRooms({ personas: [{ ...scripted("alpha"), brain: "llm", model: "x:y" }] });

    await rooms.say("@alpha go");

    const errors = (await rooms.log()).filter(({ entry }) => entry.kind === "error");
    expect(errors.map(({ entry }) => entry.text)).toEqual([
      'Alpha could not answer: no brain of kind "llm" is set up.',
    ]);
  });

  it("ends idle with words says nothing", async () => {
    const rooms = await roomWith(async function* () {
      yield { type: "end", reason: "idle", text: "left over" };
    });

    await rooms.say("@alpha go");

    expect(await rooms.lines()).toEqual(["Ann: @alpha go"]);
  });

  it("keeps a state and a history gets them back, with its number, and the calls that it made are on record", async () => {
    const seen: unknown[] = [];
    const rooms = await roomWith(async function* (turn) {
      seen.push([turn.number, turn.state]);
      yield { type: "usage", step: 1, usage: { model: "m", inputTokens: 3 } };
      const history = { brain: "script", messages: [turn.number] };
      yield { type: "end", reason: "done", text: `turn ${turn.number}`, state: { n: turn.number }, history };
    });

    await rooms.say("@alpha one");
    await rooms.say("@alpha two");

    expect(seen).toEqual([
      [1, undefined],
      [2, { n: 1 }],
    ]);
    const replies = (await rooms.log()).filter(
      ({ entry }) => entry.kind === "message" && entry.sender.kind === "agent",
    );
    expect(replies.map(({ entry }) => (entry.kind === "message" ? entry.history?.messages : []))).toEqual([[1], [2]]);
    const usage = await rooms.store.list<{ persona: string; root: string; steps: unknown }>(ROOM, RECORDS.usage);
    expect(usage.map(({ value }) => [value.persona, value.root, value.steps])).toEqual([
      ["alpha", "fake:T:ann", [{ model: "m", inputTokens: 3 }]],
      ["alpha", "fake:T:ann", [{ model: "m", inputTokens: 3 }]],
    ]);
  });

  it("calls a tool after the turn was stopped is told so, and nothing happens", async () => {
    const answers: string[] = [];
    const rooms = await roomWith(async function* (turn) {
      await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve(), { once: true }));
      const tool = turn.tools.find(({ name }) => name === "send_message");
      answers.push((await tool?.run("1", { to: "beta", text: "too late" }))?.text ?? "");
      yield { type: "end", reason: "cancelled", text: "" };
    });
    await rooms.say("@alpha go");

    await rooms.command("agent stop");
    await rooms.quiet();

    expect(answers).toEqual(["the turn has been stopped"]);
    expect(await rooms.lines()).toEqual(["Ann: @alpha go"]);
  });

  it("is asked about a room where typing cannot be shown works all the same", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "here")] });
    rooms.chat.typing = () => Promise.reject(new Error("no typing today"));

    await rooms.say("@alpha go");

    expect(await rooms.lines()).toEqual(["Ann: @alpha go", "Alpha: here"]);
  });
});
