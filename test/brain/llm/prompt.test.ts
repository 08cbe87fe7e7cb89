import { describe, expect, it } from "vitest";
import { fenceOf } from "../../../src/brain/llm/envelope.js";
import { buildPrompt, withPlainTexts } from "../../../src/brain/llm/prompt.js";
import type { Cause, MessageEntry, Sender } from "../../../src/domain/entry.js";
import type { ViewEntry } from "../../../src/ports/brain.js";
import { messageFixture, turnFixture } from "../../support/turn-fixture.js";

const NOW = Date.UTC(2026, 0, 5, 9, 30, 59);
const FENCE = fenceOf("web:local:main");
const ALPHA: Sender = { kind: "agent", id: "alpha", name: "Alpha" };
const BETA: Sender = { kind: "agent", id: "beta", name: "Beta" };

function foreign(over: Partial<MessageEntry>, flags: Partial<ViewEntry> = {}): ViewEntry {
  return { entry: messageFixture(over), own: false, ...flags };
}

function own(over: Partial<MessageEntry>): ViewEntry {
  return { entry: messageFixture({ sender: ALPHA, cause: { kind: "person", entry: "m1" }, ...over }), own: true };
}

function promptOf(view: readonly ViewEntry[], over: Parameters<typeof turnFixture>[0] = {}) {
  return buildPrompt(turnFixture(over), view, NOW);
}

/** Role and text of each message, parts on lines of their own. */
function shown(view: readonly ViewEntry[]): readonly string[] {
  return withPlainTexts(promptOf(view).messages).map((message) => `${message.role}: ${message.content}`);
}

describe("the system prompt", () => {
  it("begins with the persona's own words and has the room note as a part of its own", () => {
    const { persona, note } = promptOf([foreign({})], { roomNote: "You share this room." });

    expect(persona).toMatch(/^You are Alpha\.\n\n# The room\n/);
    expect(note).toBe("You share this room.");
  });

  it("is the same at every time, in every room, for every log", () => {
    const one = promptOf([foreign({})]);
    const turn = turnFixture({ room: "web:local:b", session: "web:local:b" });
    const other = buildPrompt(turn, [foreign({ text: "Other." })], 0);

    expect(other.persona).toBe(one.persona);
    expect(one.note).toBeUndefined();
  });
});

describe("the log in the prompt", () => {
  it("shows a person's message in an envelope and what is volatile behind it", () => {
    expect(shown([foreign({ text: "Hello." })])).toEqual([
      `user: [message m1 | 2026-01-05 09:00 UTC | Robin (person)]\n<<<${FENCE}\nHello.\n${FENCE}>>>\n\n` +
        "[room] It is 2026-01-05 09:30 UTC. You were woken by message m1 from Robin. Answer that message; the others are context.",
    ]);
  });

  it("merges consecutive messages of others into one user message with a part each, and shows its own as assistant", () => {
    const view = [
      foreign({ id: "m1" }),
      foreign({ id: "m2", sender: BETA }),
      own({ id: "m3", text: "Fine." }),
      foreign({ id: "m4" }),
    ];

    const { messages } = promptOf(view);

    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
    expect(messages[0]?.content).toHaveLength(2);
    expect(messages[1]?.content).toBe("Fine.");
    expect(messages[2]?.content).toHaveLength(2);
  });

  it("never shows another agent as assistant", () => {
    const all = shown([foreign({ id: "m1", sender: BETA, text: "As Beta." })]);

    expect(all[0]).toContain("Beta (agent)");
    expect(all.some((message) => message.startsWith("assistant"))).toBe(false);
  });

  it("marks what mentions the persona by handle, by shown name, by address or by a reply", () => {
    const isMarked = (over: Partial<MessageEntry>) =>
      shown([foreign(over)])[0]
        ?.split("\n")[0]
        ?.includes("mentions you");

    expect(isMarked({ text: "hi @ALPHA!" })).toBe(true);
    expect(isMarked({ text: "hi @alphabet" })).toBe(false);
    expect(isMarked({ text: "alpha" })).toBe(false);
    expect(isMarked({ text: "`@alpha` in code" })).toBe(false);
    expect(isMarked({ text: "see @alpha", to: "beta" })).toBe(false);
    expect(isMarked({ text: "see", to: "alpha" })).toBe(true);
    expect(isMarked({ text: "see", answers: "alpha" })).toBe(true);
  });

  it("labels entries of another session as background, its own too", () => {
    const view = [
      foreign({ id: "c1" }, { context: true }),
      { ...own({ id: "c2", text: "Mine." }), context: true as const },
      foreign({ id: "m1" }),
    ];

    const [only] = shown(view);

    expect(only).toContain("[background c1 |");
    expect(only).toContain("[background c2 | 2026-01-05 09:00 UTC | Alpha (you)]");
    expect(only).toContain("[message m1 |");
  });

  it("says that earlier messages are missing when the log begins with the persona's own", () => {
    const all = shown([own({ id: "r0", text: "Before." }), foreign({ id: "m1" })]);

    expect(all[0]).toBe("user: [room] Earlier messages are not shown.");
    expect(all[1]).toBe("assistant: Before.");
  });

  it("shows messages only: no notices, calls or acknowledgements", () => {
    const notice: ViewEntry = {
      own: false,
      entry: { ...messageFixture({ id: "n1", text: "Budget used." }), kind: "notice" },
    };

    expect(shown([notice, foreign({})])[0]).not.toContain("Budget used.");
  });

  it("joins its own plain posts of one turn", () => {
    const all = shown([
      foreign({}),
      own({ id: "s1", text: "To Beta.", to: "beta" }),
      own({ id: "r1", text: "Asked." }),
      foreign({ id: "m2" }),
    ]);

    expect(all[1]).toBe("assistant: To Beta.\n\nAsked.");
  });
});

describe("a replayed turn in the prompt", () => {
  const call = {
    type: "tool-call",
    toolCallId: "c1",
    toolName: "send_message",
    input: { to: "beta", text: "To Beta." },
  };
  const result = {
    type: "tool-result",
    toolCallId: "c1",
    toolName: "send_message",
    output: { type: "text", value: "delivered" },
  };
  const history = {
    brain: "llm",
    messages: [
      { role: "assistant", content: [call] },
      { role: "tool", content: [result] },
      { role: "assistant", content: [{ type: "text", text: "Asked." }] },
    ],
  };

  it("stands as it was, and what it posted by a tool is not shown twice", () => {
    const view = [
      foreign({}),
      own({ id: "s1", text: "To Beta.", to: "beta" }),
      own({ id: "r1", text: "Asked.", history }),
      foreign({ id: "m2" }),
    ];

    const { messages } = promptOf(view);

    expect(messages.slice(1, 4)).toEqual(history.messages);
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  });

  it("is shown as plain text when another kind of brain wrote it, or when it cannot be read", () => {
    for (const broken of [
      { ...history, brain: "acp" },
      { brain: "llm", messages: [{ role: "assistant", content: 7 }] },
      { brain: "llm", messages: [] },
    ]) {
      expect(shown([foreign({}), own({ id: "r1", text: "Asked.", history: broken }), foreign({ id: "m2" })])[1]).toBe(
        "assistant: Asked.",
      );
    }
  });
});

describe("the footer", () => {
  it.each<[Cause["kind"], string]>([
    ["person", "woken by message m1 from Robin"],
    ["agent", "woken by message m1 from Robin"],
    ["button", "woken by a person's button, for message m1 from Robin"],
    ["schedule", "woken by a schedule, with message m1 from Robin"],
    ["task", "woken by a task, with message m1 from Robin"],
  ])("says why a %s woke the persona", (kind, words) => {
    const { messages } = promptOf([foreign({})], { cause: { kind } });

    expect(JSON.stringify(messages.at(-1))).toContain(words);
  });

  it("stands alone when the log is empty", () => {
    expect(promptOf([]).messages).toHaveLength(1);
  });
});
