import type { Draft } from "../domain/entry.js";
import { roomOf } from "../domain/ids.js";
import type { BudgetNotice, FailedNotice, Notice, PauseNotice } from "../domain/notice.js";
import type { Answer, Press } from "../ports/platform.js";
import { answer, refusal } from "./commands/command.js";
import type { EngineContext } from "./context.js";
import type { Guard } from "./guard/guard.js";
import { editNotice } from "./notices.js";
import { RECORDS } from "./records.js";
import { mayResume, RESUME_REFUSED } from "./rights.js";
import type { Turns } from "./turns.js";

const MAX_CONFLICTS = 5;

interface PressDeps {
  readonly context: EngineContext;
  readonly turns: Turns;
  readonly guard: Guard;
}

/**
 * A pressed button. Only people press: bots, webhooks and our own echoes change nothing. What a button does, it does
 * once; a second press is answered and harmless. Never rejects for what was pressed.
 */
export async function press({ context, turns, guard }: PressDeps, pressed: Press): Promise<Answer> {
  if (pressed.from.kind !== "person") return refusal("Only a person can press this.");
  switch (pressed.action) {
    case "troupe:continue":
      return useNotice(context, pressed, "budget");
    case "troupe:retry":
      return useNotice(context, pressed, "failed");
    case "troupe:resume":
      return resumePair(context, guard, pressed);
    case "troupe:drop":
      return dropHeld(context, guard, pressed);
    case "troupe:stop":
      return stopTurn(context, turns, pressed);
    default:
      return refusal("This button is not known here. It may come from another version; use /agent help.");
  }
}

function stopTurn(context: EngineContext, turns: Turns, { value, from, room }: Press): Promise<Answer> {
  const turn = turns.running().find((running) => running.id === value && roomOf(running.session) === room);
  const stopped = turn !== undefined && turns.stop(turn.id, { kind: "person", by: from.name });
  if (!stopped) return Promise.resolve(refusal("That turn has ended already."));
  return Promise.resolve(answer({ text: `Stopping ${context.team().displayName(turn.persona)}.`, tone: "success" }));
}

/** Notices whose button appends a directive. */
type UsableNotice = BudgetNotice | FailedNotice;

async function resumePair(context: EngineContext, guard: Guard, { room, value, from }: Press): Promise<Answer> {
  const notice = await pauseNotice(context, room, value);
  if (!notice) return refusal("What this button belonged to is gone.");
  if (!mayResume(context.config, notice.session, from)) return refusal(RESUME_REFUSED);
  if (notice.state === "done") return refusal(`Already resumed by ${notice.by ?? "Troupe"}.`);
  const { resumed, delivered } = await guard.resumePair(room, notice.pair, from);
  if (resumed === 0) return refusal("This pair is not paused any more.");
  const text = `Resumed. ${delivered} held message${delivered === 1 ? "" : "s"} delivered.`;
  return {
    ok: true,
    view: { text, tone: "success" },
    public: true,
    data: { session: notice.session, resumed, delivered },
  };
}

async function dropHeld(context: EngineContext, guard: Guard, { room, value, from }: Press): Promise<Answer> {
  const notice = await pauseNotice(context, room, value);
  if (!notice) return refusal("What this button belonged to is gone.");
  if (!mayResume(context.config, notice.session, from)) return refusal(RESUME_REFUSED);
  const dropped = await guard.drop(room, notice.pair);
  if (dropped === 0) return refusal("Nothing is held any more.");
  const text = `${dropped} held message${dropped === 1 ? "" : "s"} dropped. The pair stays paused until a person resumes.`;
  return { ok: true, view: { text, tone: "success" }, public: true };
}

async function pauseNotice(context: EngineContext, room: string, id: string): Promise<PauseNotice | undefined> {
  const record = await context.store.get<Notice>(room, RECORDS.notice, id);
  return record?.value.type === "pause" ? record.value : undefined;
}

/** Appends the directive and closes the notice in one commit: whoever comes second finds it closed. */
async function useNotice(context: EngineContext, pressed: Press, type: UsableNotice["type"]): Promise<Answer> {
  const { room, value: id, from } = pressed;
  for (let i = 0; i < MAX_CONFLICTS; i++) {
    const record = await context.store.get<UsableNotice>(room, RECORDS.notice, id);
    if (record?.value.type !== type) return refusal("What this button belonged to is gone.");
    if (record.value.state === "done") return refusal(alreadyDone(record.value));
    const done: UsableNotice = { ...record.value, state: "done", by: from.name };
    const { session } = done;
    const order = (await context.store.session(session))?.seq ?? 0;
    const edit = editNotice(context, record, done, order);
    const entry = directive(context, pressed, done);
    const result = await context.commit({ room, append: [{ session, entry }], ...edit, durable: true });
    if (result.status === "duplicate") return refusal(alreadyDone(done));
    if (result.status === "ok") {
      await context.queue.wake(session);
      return { ok: true, view: { text: doneText(context, done), tone: "success" }, public: true };
    }
  }
  return refusal("The room is changing too fast just now; press again.");
}

function directive(context: EngineContext, { from, value }: Press, notice: UsableNotice): Draft {
  const isContinue = notice.type === "budget";
  return {
    kind: "directive",
    id: `${isContinue ? "continue" : "retry"}|${value}`,
    action: isContinue ? "continue" : "retry",
    wakes: isContinue ? notice.waiting : [{ persona: notice.persona, entry: notice.entry }],
    sender: { kind: "person", id: from.id, name: from.name },
    text: isContinue ? "Continue" : "Retry",
    at: context.clock.now(),
    cause: { kind: "button", root: from.id },
  };
}

function alreadyDone(notice: UsableNotice): string {
  const by = notice.by === undefined ? "" : ` by ${notice.by}`;
  return notice.type === "budget" ? `Already continued${by}.` : `Already retried${by}.`;
}

function doneText(context: EngineContext, notice: UsableNotice): string {
  const nameOf = context.team().displayName;
  if (notice.type === "failed") return `${nameOf(notice.persona)} tries again.`;
  return `Continued: ${[...new Set(notice.waiting.map((wake) => nameOf(wake.persona)))].join(", ")} got the message.`;
}
