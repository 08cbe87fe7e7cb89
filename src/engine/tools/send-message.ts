import { z } from "zod";
import type { Draft, MessageEntry } from "../../domain/entry.js";
import type { Part } from "../../domain/outcome.js";
import type { Pair } from "../../domain/pair.js";
import { identityOf } from "../../domain/persona.js";
import type { Logged } from "../../ports/store.js";
import { acceptDelivery } from "../accept.js";
import { joinParts } from "../change-parts.js";
import { MAX_MESSAGE_LENGTH } from "../config.js";
import { posts } from "../context.js";
import { findPersona, listNames, nearestPersona } from "../find-persona.js";
import { type OutboxRow, RECORDS, turnId, turnPostKey } from "../records.js";
import { type CallScope, defineTool, type ToolOutcome, type ToolScope } from "./room-tool.js";

/**
 * Sends a message to one persona of the room (behaviour 0.11): it is posted under the sender's identity with the
 * mention written out, counts in the burst, and wakes `to` and nobody else. The result names what became of it.
 */
export const sendMessage = defineTool({
  name: "send_message",
  description:
    "Send a message to one other persona in this room. It is posted in the room under your name and wakes only that persona, after your turn. " +
    "Your plain reply is posted anyway: use this tool only for an extra message.",
  class: "messaging",
  input: z.strictObject({
    to: z.string().min(1).max(64).describe("The persona's name, without @"),
    text: z.string().min(1).max(MAX_MESSAGE_LENGTH).describe("The message"),
  }),
  async run(scope, { to, text }) {
    const receiver = findReceiver(scope, to);
    if ("problem" in receiver) return { ok: false, text: receiver.problem };
    if (!/[^\p{Z}\p{C}]/u.test(text)) return { ok: false, text: "refused: the text is blank" };
    return send(scope, receiver.name, text);
  },
});

function findReceiver({ context, room, persona }: ToolScope, to: string): { name: string } | { problem: string } {
  const team = context.team();
  const members = context.rooms.members(room);
  const name = findPersona(team, members, to);
  if (name === persona.name) return { problem: "refused: that is you" };
  if (name !== undefined) return { name };
  const others = members.filter((member) => member !== persona.name);
  const hint = nearestPersona(team, others, to) ?? `In this room: ${listNames(others, "nobody else")}.`;
  return { problem: `refused: no persona of that name is in this room. ${hint}` };
}

async function send(scope: CallScope, receiver: string, text: string): Promise<ToolOutcome> {
  const { context, begun, place, room, messageNumber: number } = scope;
  const { session } = begun;
  const settings = await context.rooms.settings(room);
  const draft = messageDraft(scope, receiver, text, number);
  const message: MessageEntry = { ...draft, v: 1, session, seq: place.seq };
  const acceptance = await acceptDelivery(context, { room, message, receiver, budget: settings.budget, pending: true });
  const put = outboxRow(scope, draft.id, number);
  const pair = acceptance.result === "accepted" ? undefined : acceptance.pair;
  const woken: Part = { persona: receiver, result: "woke" };
  const repeated = ({ outcome }: Logged) => answerOf((outcome?.kind === "parts" && outcome.parts[0]) || woken, pair);

  if (acceptance.result === "accepted") {
    const append = [{ session, entry: { ...draft, accepted: true } as const }];
    return { ...answerOf(woken), repeated, ...joinParts({ append, put }, acceptance.parts) };
  }
  const append = [{ session, entry: draft, outcome: { kind: "parts", parts: [acceptance.part] } as const }];
  return {
    ...answerOf(acceptance.part, pair),
    repeated,
    ...joinParts({ append, put }, acceptance.parts),
    ...(pair === undefined ? {} : { paused: pair }),
  };
}

/** What the sender is told. The codes and data of a held message are fixed (behaviour 0.15). */
function answerOf(part: Part, pair?: Pair): { readonly ok: boolean; readonly text: string } {
  switch (part.result) {
    case "woke":
      return { ok: true, text: `delivered: ${part.persona} answers after your turn` };
    case "suppressed":
      return {
        ok: true,
        text: `suppressed: the room's budget of agent messages is used up; ${part.persona} was not woken, a person can continue`,
      };
    case "held": {
      const data = { held: true, promptId: part.ref, sessions: pair?.sides, trip: pair?.trip };
      return {
        ok: true,
        text: `held: agent_pair.paused: a person has to resume this pair; do not send again. ${JSON.stringify(data)}`,
      };
    }
    case "refused":
      return {
        ok: false,
        text: "refused: agent_pair.held_full: this message was not delivered; too many are held already. A person has to resume this pair.",
      };
  }
}

function messageDraft(scope: ToolScope, to: string, text: string, number: number): Extract<Draft, { kind: "message" }> {
  const { context, place, persona, cause } = scope;
  const names = context
    .team()
    .parse(text)
    .some((mention) => mention.kind === "persona" && mention.name === to);
  return {
    kind: "message",
    id: `${turnId(place)}#${number}`,
    sender: { kind: "agent", id: persona.name, name: persona.displayName },
    text: names ? text : `@${to} ${text}`,
    at: context.clock.now(),
    cause,
    to,
  };
}

function outboxRow({ context, begun, place, persona }: ToolScope, entry: string, number: number) {
  if (!posts(context, begun.session)) return [];
  const row: OutboxRow = {
    session: begun.session,
    subject: { type: "entry", entry },
    identity: identityOf(persona),
    state: "pending",
    attempts: 0,
  };
  return [{ kind: RECORDS.outbox, key: turnPostKey(place, number), value: row, due: context.clock.now() }];
}
