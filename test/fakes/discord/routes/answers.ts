import type { InteractionKind, OpenInteraction } from "../interactions.js";
import { allowedIn } from "../mentions.js";
import { checkEdit, checkMessage } from "../message-rules.js";
import { type DiscordMessage, EPHEMERAL } from "../model.js";
import { createProblems } from "../problems.js";
import { isRecord, type Json, numberOf, Refusal, records, refusal, textOf } from "../wire.js";
import { withIds } from "./messages.js";
import { type Call, param, type Routes, shown } from "./route.js";
import { attachmentsOf, keptAttachments } from "./uploads.js";

const LOADING = 128;

/** What may be done with an interaction's own address after its first answer. */
type Afterwards = "follow-up" | "get" | "edit" | "delete";

/** Answers to interactions: the first by callback, then by the address that looks like a webhook's. */
export const answerRoutes: Routes = {
  create_interaction_response: {
    verb: "POST",
    path: "/interactions/{interaction_id}/{interaction_token}/callback",
    isOpen: true,
    run: answer,
  },
  get_original_webhook_message: original("GET", "get"),
  update_original_webhook_message: original("PATCH", "edit"),
  delete_original_webhook_message: original("DELETE", "delete"),
};

function original(verb: "GET" | "PATCH" | "DELETE", doing: Afterwards): Routes[string] {
  const unknown = () => {
    throw refusal(10015);
  };
  return {
    verb,
    path: "/webhooks/{webhook_id}/{webhook_token}/messages/@original",
    isOpen: true,
    run: answerRoute(doing, unknown),
  };
}

/** Takes the call as one about an interaction if its token is one's; else as one about a webhook. */
export function answerRoute(doing: Afterwards, otherwise: (call: Call) => unknown): (call: Call) => unknown {
  return (call) => {
    const open = call.world.interactions.answered(param(call, "webhook_id"), param(call, "webhook_token"));
    if (!open) return otherwise(call);
    const answered = { ...call, app: open.app };
    if (doing === "follow-up") return followUp(answered, open);
    const message = messageIn(answered, open);
    if (doing === "edit") return edit(answered, open, message);
    if (doing === "get") return shown(answered, message, open.channel);
    call.world.board.remove(open.channel, [message]);
    return undefined;
  };
}

function answer(call: Call): unknown {
  const open = call.world.interactions.toAnswer(param(call, "interaction_id"), param(call, "interaction_token"));
  const type = numberOf(call.body, "type") ?? 0;
  const data: Json = isRecord(call.body.data) ? call.body.data : {};
  const answered = { ...call, app: open.app, body: data };
  if (!ALLOWED[open.view.kind].includes(type)) throw unfit("type", "This interaction cannot be answered so.");
  take(answered, open, type, data);
  open.callback = { type, data, at: call.world.workspace.clock.now() };
  call.world.recorder.changed();
  return call.query.with_response === "true" ? responseOf(answered, open, type) : undefined;
}

/** Which answers each kind takes. */
const ALLOWED: Readonly<Record<InteractionKind, readonly number[]>> = {
  command: [4, 5, 9],
  button: [4, 5, 6, 7, 9],
  autocomplete: [8],
};

function take(call: Call, open: OpenInteraction, type: number, data: Json): void {
  if (type === 4) {
    checkMessage(data, call.files, "interaction");
    open.original = post(call, open, numberOf(data, "flags") ?? 0);
  } else if (type === 5) {
    open.isThinking = true;
    const flags = (numberOf(data, "flags") ?? 0) & EPHEMERAL;
    open.original = post({ ...call, body: {} }, open, flags | LOADING);
  } else if (type === 7 && open.original) {
    const message = messageIn(call, open);
    checkEdit(data, call.files, standing(message));
    change(call, open, message);
  } else if (type === 8) open.choices = choicesIn(data);
}

function choicesIn(data: Json): OpenInteraction["choices"] {
  const problems = createProblems();
  const choices = records(data.choices);
  if (choices.length > 25) problems.add("data.choices", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.");
  choices.forEach((choice, index) => {
    problems.length(`data.choices.${index}.name`, textOf(choice, "name") ?? "", 100, 1);
    problems.length(`data.choices.${index}.value`, String(choice.value ?? ""), 100, 1);
  });
  problems.throwIfAny();
  return choices.map(({ name, value }) => ({
    name: String(name),
    value: typeof value === "number" ? value : String(value),
  }));
}

function post(call: Call, open: OpenInteraction, flags: number): DiscordMessage {
  const { body, world } = call;
  return world.board.post(open.channel, {
    authorId: open.app.id,
    applicationId: open.app.id,
    type: open.view.kind === "command" ? 20 : 0,
    content: textOf(body, "content") ?? "",
    embeds: records(body.embeds),
    components: withIds(records(body.components)),
    attachments: attachmentsOf(call, open.channel.id),
    flags,
    onlyFor: (flags & EPHEMERAL) === 0 ? undefined : open.user.id,
    interaction: open.metadata,
    mentions: { allowed: allowedIn(body), byDefault: ["users"], speakerId: open.app.id },
  });
}

/** The first one after a deferral takes the place of the "thinking…", and is as private as that. */
function followUp(call: Call, open: OpenInteraction): unknown {
  checkMessage(call.body, call.files, "interaction");
  if (open.isThinking && open.original) return edit(call, open, open.original);
  const message = post(call, open, numberOf(call.body, "flags") ?? 0);
  open.followUps.push(message);
  call.world.recorder.changed();
  return shown(call, message, open.channel);
}

function messageIn(call: Call, open: OpenInteraction): DiscordMessage {
  const id = param(call, "message_id");
  const { board } = call.world;
  const message = id === "" ? open.original : [open.original, ...open.followUps].find((it) => it?.id === id);
  if (!message) throw refusal(10008);
  if (message.onlyFor === undefined) return board.find(open.channel, message.id);
  const standing = board.findEphemeral(message.id);
  if (!standing) throw refusal(10008);
  return standing;
}

function edit(call: Call, open: OpenInteraction, message: DiscordMessage): unknown {
  checkEdit(call.body, call.files, standing(message));
  const wasThinking = open.isThinking && message === open.original;
  if (wasThinking) open.isThinking = false;
  change(call, open, message, wasThinking ? message.flags & ~LOADING : undefined);
  return shown(call, message, open.channel);
}

function change(call: Call, open: OpenInteraction, message: DiscordMessage, flags?: number): void {
  const { body, world } = call;
  const isNamed = (name: string) => body[name] !== undefined;
  const hasFiles = isNamed("attachments") || call.files.length > 0;
  world.board.edit(open.channel, message, {
    content: isNamed("content") ? (textOf(body, "content") ?? "") : undefined,
    embeds: isNamed("embeds") ? records(body.embeds) : undefined,
    components: isNamed("components") ? withIds(records(body.components)) : undefined,
    attachments: hasFiles ? keptAttachments(call, open.channel.id, message) : undefined,
    mentions: isNamed("content")
      ? { allowed: allowedIn(body), byDefault: ["users"], speakerId: open.app.id }
      : undefined,
    flags,
    isSilent: flags !== undefined,
  });
}

function standing({ content, embeds, components, attachments, flags }: DiscordMessage): Json {
  return { content, embeds, components, attachments, flags };
}

function responseOf(call: Call, open: OpenInteraction, type: number): Json {
  const { original, view } = open;
  const message = original && type !== 8 ? shown(call, original, open.channel) : undefined;
  return {
    interaction: { id: view.id, type: view.kind === "command" ? 2 : 3, response_message_id: original?.id ?? null },
    resource: { type, ...(message ? { message } : {}) },
  };
}

function unfit(path: string, message: string): Refusal {
  return new Refusal(400, 50035, "Invalid Form Body", {
    [path]: { _errors: [{ code: "BASE_TYPE_CHOICES", message }] },
  });
}
