import { describe, expect, it } from "vitest";
import type { Draft } from "../../src/domain/entry.js";
import type { Outcome } from "../../src/domain/outcome.js";
import { buildView } from "../../src/engine/view.js";
import type { Store } from "../../src/ports/store.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { agentDraft, personDraft } from "../support/drafts.js";

const ROOM = "fake:T:general";
const PLENTY = 1_000_000;

/** A store with these entries in a session; `ignored` ones are commands. */
async function storeWith(entries: readonly (Draft | readonly [Draft, Outcome])[], session = ROOM): Promise<Store> {
  const store = createMemoryStore();
  await store.open();
  await append(store, entries, session);
  return store;
}

async function append(store: Store, entries: readonly (Draft | readonly [Draft, Outcome])[], session = ROOM) {
  for (const one of entries) {
    const [entry, outcome] = "kind" in one ? [one, undefined] : one;
    await store.commit({ room: ROOM, append: [{ session, entry, ...(outcome ? { outcome } : {}) }] });
  }
}

interface Look {
  readonly waking: string;
  readonly upTo: number;
  readonly persona?: string;
  readonly maxBytes?: number;
  readonly session?: string;
}

async function look(store: Store, { waking, upTo, persona = "alpha", maxBytes = PLENTY, session = ROOM }: Look) {
  const logged = await store.find(session, waking);
  if (!logged) throw new Error(`expected an entry ${waking}`);
  const view = await buildView({ store, session, persona, waking: logged.entry, upTo, maxBytes });
  return view.map(({ entry, own, context, waking }) => {
    return `${context ? "context " : ""}${own ? "own " : ""}${entry.id}${waking ? " waking" : ""}`;
  });
}

describe("what a persona sees of a session", () => {
  it("is what was said, oldest first, its own words marked, and the waking message last", async () => {
    const store = await storeWith([personDraft("p1"), agentDraft("a1"), agentDraft("b1", "beta"), personDraft("p2")]);

    expect(await look(store, { waking: "p2", upTo: 4 })).toEqual(["p1", "own a1", "b1", "p2 waking"]);
    expect(await look(store, { waking: "p2", upTo: 4, persona: "beta" })).toEqual(["p1", "a1", "own b1", "p2 waking"]);
  });

  it("leaves out what people said later, which gets turns of its own, but not what agents said since", async () => {
    const store = await storeWith([personDraft("p1"), personDraft("p2"), personDraft("p3"), agentDraft("b1", "beta")]);

    expect(await look(store, { waking: "p2", upTo: 2 })).toEqual(["p1", "b1", "p2 waking"]);
  });

  it("leaves out commands, superseded messages and what is no part of the conversation", async () => {
    const ack = { kind: "ack", id: "k", entry: "p", persona: "alpha", attempt: 1 } as const;
    const store = await storeWith([
      [personDraft("c"), { kind: "ignored", reason: "command" }],
      [personDraft("s"), { kind: "superseded" }],
      [personDraft("i"), { kind: "ignored", reason: "no_mention" }],
      { ...personDraft("k"), ...ack, kind: "ack" },
      personDraft("p"),
    ]);

    expect(await look(store, { waking: "p", upTo: 5 })).toEqual(["i", "p waking"]);
  });

  it("shows an edited message in its last form only", async () => {
    const store = await storeWith([
      [personDraft("p1", { text: "first" }), { kind: "ignored", reason: "no_mention" }],
      personDraft("p1~late", { text: "@alpha second", edits: { entry: "p1", late: true } }),
      personDraft("p2"),
    ]);

    expect(await look(store, { waking: "p2", upTo: 3 })).toEqual(["p1~late", "p2 waking"]);
  });

  it("goes back no further than the newest summary", async () => {
    const summary = { ...personDraft("sum"), kind: "summary", upTo: 1 } as const;
    const store = await storeWith([personDraft("p1"), summary, personDraft("p2"), personDraft("p3")]);

    expect(await look(store, { waking: "p3", upTo: 4 })).toEqual(["sum", "p2", "p3 waking"]);
  });

  it("is cut at whole messages, oldest first, but never loses the waking one", async () => {
    const text = "é".repeat(50);
    const ids = Array.from({ length: 200 }, (_, i) => `p${i}`);
    const store = await storeWith(ids.map((id) => personDraft(id, { text })));

    expect(await look(store, { waking: "p199", upTo: 200, maxBytes: 10 })).toEqual(["p199 waking"]);
    expect(await look(store, { waking: "p199", upTo: 200, maxBytes: 399 })).toEqual(["p197", "p198", "p199 waking"]);
    expect(await look(store, { waking: "p199", upTo: 200 })).toHaveLength(200);
  });

  it("counts the brain's own record of a turn as part of its size", async () => {
    const history = { brain: "llm", messages: ["x".repeat(100)] };
    const store = await storeWith([
      agentDraft("a1", "alpha", { text: "ok", history }),
      personDraft("p1", { text: "hi" }),
    ]);

    expect(await look(store, { waking: "p1", upTo: 2, maxBytes: 50 })).toEqual(["p1 waking"]);
  });

  it("begins, in a thread, with what was said in the channel before the message that it answers", async () => {
    const session = `${ROOM}:p9`;
    const channel = Array.from({ length: 30 }, (_, i) =>
      i % 2 ? agentDraft(`a${i}`) : personDraft(`p${i}`, { text: "x".repeat(10) }),
    );
    const store = await storeWith([...channel, personDraft("q"), personDraft("after")]);
    await append(store, [personDraft("q", { cause: { kind: "person", entry: "q" } }), personDraft("t2")], session);

    const whole = await look(store, { waking: "t2", upTo: 2, session });
    expect([whole.length, whole[0], whole.at(-3)]).toEqual([22, "context p10", "context own a29"]);
    expect(whole.slice(-2)).toEqual(["q", "t2 waking"]);
    // Room for the thread and one message of the channel.
    expect(await look(store, { waking: "t2", upTo: 2, session, maxBytes: 40 })).toEqual([
      "context own a29",
      "q",
      "t2 waking",
    ]);
  });

  it("begins, in a thread that people have opened, with the message that it hangs on and what was said before", async () => {
    const thread = `${ROOM}:p2`;
    const store = await storeWith([personDraft("p1"), personDraft("p2"), personDraft("p3")]);
    await append(store, [personDraft("t1"), personDraft("t2")], thread);

    expect(await look(store, { waking: "t2", upTo: 2, session: thread })).toEqual([
      "context p1",
      "context p2",
      "t1",
      "t2 waking",
    ]);
  });

  it("is the thread alone where its first message answers nothing in the channel", async () => {
    const session = `${ROOM}:t1`;
    const store = await storeWith([personDraft("p1")]);
    await append(store, [personDraft("t1"), personDraft("t2", { cause: { kind: "person", entry: "gone" } })], session);

    expect(await look(store, { waking: "t2", upTo: 2, session })).toEqual(["t1", "t2 waking"]);
  });
});
