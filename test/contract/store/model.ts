import fc from "fast-check";
import { expect, it } from "vitest";
import type { Draft } from "../../../src/domain/entry.js";
import { roomOf, type SessionId } from "../../../src/domain/ids.js";
import type { Change, Cursor, Store } from "../../../src/ports/store.js";
import { agentDraft, noticeDraft, personDraft } from "../../support/drafts.js";
import { OTHER_ROOM, ROOM, type StoreHarness, THREAD } from "./harness.js";

const SESSIONS = [ROOM, THREAD, OTHER_ROOM];
const KEYS = ["k1", "k2"];

/** One step of a random history. Whether it is accepted depends on where the store then stands. */
type Step =
  | { readonly do: "begin"; readonly session: SessionId }
  | { readonly do: "restart" }
  | {
      readonly do: "commit";
      readonly session: SessionId;
      readonly drafts: readonly Draft[];
      readonly turn: "none" | "mine" | "stale fence" | "stale cursor";
      readonly expect: "none" | "right" | "wrong";
      readonly key: string;
      readonly write: "none" | "put" | "delete";
      readonly due: number;
    };

const draft = fc
  .tuple(fc.constantFrom(personDraft, agentDraft, noticeDraft), fc.integer({ min: 0, max: 30 }))
  .map(([make, n]) => make(`id${n}`));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("begin" as const), session: fc.constantFrom(...SESSIONS) }) },
  { weight: 1, arbitrary: fc.constant({ do: "restart" as const }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("commit" as const),
      session: fc.constantFrom(...SESSIONS),
      drafts: fc.uniqueArray(draft, { maxLength: 3, selector: ({ id }) => id }),
      turn: fc.constantFrom("none", "mine", "mine", "mine", "stale fence", "stale cursor"),
      expect: fc.constantFrom("none", "right", "wrong"),
      key: fc.constantFrom(...KEYS),
      write: fc.constantFrom("none", "put", "delete"),
      due: fc.integer({ min: 0, max: 5 }),
    }),
  },
);

interface ModelSession {
  readonly ids: string[];
  readonly needs: boolean[];
  cursor: Cursor;
  fence: number | undefined;
}

/** What the port promises, as plainly as it can be written. */
class Model {
  readonly sessions = new Map<SessionId, ModelSession>(
    SESSIONS.map((session) => [
      session,
      { ids: [], needs: [], cursor: { seq: 0, part: 0, attempt: 0 }, fence: undefined },
    ]),
  );
  readonly records = new Map<string, { version: number; due: number }>();

  of(session: SessionId): ModelSession {
    const found = this.sessions.get(session);
    if (!found) throw new Error(`no ${session} in the model`);
    return found;
  }

  change(at: Step & { do: "commit" }): { change: Change; status: string } {
    const own = this.of(at.session);
    const room = roomOf(at.session);
    const version = this.records.get(`${room} ${at.key}`)?.version ?? 0;
    const fence = own.fence ?? 0;
    const from = at.turn === "stale cursor" ? { ...own.cursor, part: own.cursor.part + 1 } : own.cursor;
    // One entry further, as long as the log goes; in a commit that appends to an empty log, stay.
    const seq = Math.min(own.cursor.seq + 1, own.ids.length);
    const change: Change = {
      room,
      append: at.drafts.map((entry) => ({ session: at.session, entry })),
      ...(at.turn === "none"
        ? {}
        : {
            turn: {
              session: at.session,
              fence: at.turn === "stale fence" ? fence - 1 : fence,
              from,
              to: { ...from, seq },
            },
          }),
      ...(at.expect === "none"
        ? {}
        : { expect: [{ kind: "r", key: at.key, version: at.expect === "right" ? version : version + 1 }] }),
      ...(at.write === "put" ? { put: [{ kind: "r", key: at.key, value: at.due, due: at.due }] } : {}),
      ...(at.write === "delete" ? { delete: [{ kind: "r", key: at.key }] } : {}),
    };
    const status = this.#status(at, own);
    if (status === "ok") this.#accept(change, own);
    return { change, status };
  }

  #status(at: Step & { do: "commit" }, own: ModelSession): string {
    if (at.drafts.some(({ id }) => own.ids.includes(id))) return "duplicate";
    if (at.turn !== "none" && (at.turn === "stale fence" || own.fence === undefined)) return "fenced";
    if (at.turn === "stale cursor") return "moved";
    return at.expect === "wrong" ? "conflict" : "ok";
  }

  #accept(change: Change, own: ModelSession): void {
    for (const { entry } of change.append ?? []) {
      own.ids.push(entry.id);
      own.needs.push(entry.kind === "message");
    }
    if (change.turn) own.cursor = change.turn.to;
    for (const { key, due = 0 } of change.put ?? []) {
      const name = `${change.room} ${key}`;
      this.records.set(name, { version: (this.records.get(name)?.version ?? 0) + 1, due });
    }
    for (const { key } of change.delete ?? []) this.records.delete(`${change.room} ${key}`);
  }

  dirty(): SessionId[] {
    return SESSIONS.filter((session) => {
      const { needs, cursor } = this.of(session);
      return needs.slice(cursor.seq).includes(true);
    });
  }
}

async function compare(store: Store, model: Model): Promise<void> {
  expect(new Set(await store.dirty(10))).toEqual(new Set(model.dirty()));
  for (const session of SESSIONS) {
    const { ids, cursor } = model.of(session);
    const log = await store.read(session, 0, 1000);
    expect(log.map(({ entry }) => [entry.seq, entry.id])).toEqual(ids.map((id, i) => [i + 1, id]));
    expect((await store.tail(session, 1000)).length).toBe(ids.length);
    expect((await store.session(session))?.cursor).toEqual(ids.length === 0 ? undefined : cursor);
  }
  const due = (await store.due("r", 3, 100)).map(({ room, key, version }) => [`${room} ${key}`, version]);
  const late = [...model.records].filter(([, row]) => row.due <= 3).map(([name, row]) => [name, row.version]);
  expect(new Map(due as [string, number][])).toEqual(new Map(late as [string, number][]));
}

/** A random history ends, step by step, as the plainest reading of the port says. */
export function modelContract(create: () => Promise<StoreHarness>, numRuns: number): void {
  it("does with any history of commits, takeovers and restarts what the port says", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const harness = await create();
        try {
          await replay(harness, steps);
        } finally {
          await harness.dispose();
        }
      }),
      { numRuns },
    );
  });
}

async function replay(harness: StoreHarness, steps: readonly Step[]): Promise<void> {
  const model = new Model();
  let { store } = harness;
  for (const at of steps) {
    if (at.do === "begin") {
      model.of(at.session).fence = (await store.begin(at.session, "me")).fence;
    } else if (at.do === "restart") {
      store = await harness.restart();
      for (const session of model.sessions.values()) session.fence = undefined;
    } else {
      const { change, status } = model.change(at);
      expect((await store.commit(change)).status).toBe(status);
    }
    await compare(store, model);
  }
}
