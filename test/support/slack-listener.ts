import { onTestFinished } from "vitest";
import { createSlackAdapter, type SlackAdapterOptions } from "../../adapters/slack/index.js";
import type {
  Answer,
  InboundCommand,
  InboundMessage,
  InboundRevision,
  Inbox,
  Platform,
  Press,
} from "../../src/ports/platform.js";
import type { Reader } from "../../src/ports/reader.js";
import { createLogLines, type LogLines } from "./log-lines.js";
import { adapterOptions, watchCatchUp } from "./slack-rooms.js";
import { openSlackTown, type SlackTown } from "./slack-town.js";

/** The Slack adapter with an inbox that only keeps what it is given. */
export interface SlackListener extends SlackTown {
  readonly inbox: Inbox;
  readonly adapter: Platform;
  readonly logs: LogLines;
  readonly messages: readonly InboundMessage[];
  readonly revisions: readonly InboundRevision[];
  readonly missed: readonly { readonly session: string; readonly messages: readonly InboundMessage[] }[];
  readonly commands: readonly InboundCommand[];
  readonly presses: readonly Press[];
  /** What commands and presses are answered with from now on. */
  answerWith(answer: () => Promise<Answer>): void;
  /** Before every message is kept; a rejection says that it could not be. */
  onMessage(work: (message: InboundMessage) => Promise<void>): void;
}

export interface SlackListenerOptions {
  readonly town?: SlackTown;
  readonly adapter?: Partial<SlackAdapterOptions>;
  readonly reader?: Partial<Reader>;
  /** Waits until it is connected; `false` to see it fail. */
  readonly connects?: boolean;
}

const NO_ROOMS: Reader = {
  rooms: async () => [],
  room: async () => undefined,
  entries: async () => [],
  opened: async () => {},
  posted: async () => false,
  subscribe: () => () => {},
};

/** Not started when `connects` is `false`. */
export async function listenToSlack(options: SlackListenerOptions = {}): Promise<SlackListener> {
  const town = options.town ?? (await openSlackTown());
  const logs = createLogLines();
  const kept = createKeeper();
  const reader = { ...NO_ROOMS, ...options.reader };
  const adapter = createSlackAdapter({ ...adapterOptions(town, logs), reader, ...options.adapter });
  onTestFinished(() => adapter.stop(3_000));
  if (options.connects ?? true) {
    const caughtUp = watchCatchUp(town, logs);
    await adapter.start(kept.inbox, new AbortController().signal);
    await caughtUp();
  }
  return { ...town, adapter, logs, ...kept };
}

/** An inbox that keeps what it gets, each message id once. */
function createKeeper() {
  const messages: InboundMessage[] = [];
  const revisions: InboundRevision[] = [];
  const missed: { session: string; messages: readonly InboundMessage[] }[] = [];
  const commands: InboundCommand[] = [];
  const presses: Press[] = [];
  let answer: () => Promise<Answer> = async () => ({ ok: true, view: { text: "done" }, public: false });
  let work: (message: InboundMessage) => Promise<void> = async () => {};
  const inbox: Inbox = {
    async message(message) {
      await work(message);
      const before = messages.findIndex(({ id, session }) => id === message.id && session === message.session);
      if (before >= 0) return { entry: message.id, seq: before + 1, duplicate: true };
      messages.push(message);
      return { entry: message.id, seq: messages.length, duplicate: false };
    },
    async revise(revision) {
      revisions.push(revision);
    },
    async missed(session, late) {
      missed.push({ session, messages: late });
    },
    async command(command) {
      commands.push(command);
      return answer();
    },
    async press(press) {
      presses.push(press);
      return answer();
    },
    resume: async () => ({ ok: true, view: { text: "" }, public: false }),
  };
  return {
    inbox,
    messages,
    revisions,
    missed,
    commands,
    presses,
    answerWith(next: () => Promise<Answer>) {
      answer = next;
    },
    onMessage(next: (message: InboundMessage) => Promise<void>) {
      work = next;
    },
  };
}
