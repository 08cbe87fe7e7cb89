import type { LoadedConfig } from "../config/loaded.js";
import type { Entry } from "../domain/entry.js";
import type { View } from "../domain/view.js";
import { createLogger } from "../log.js";
import { createEngine, fileStorage } from "../main.js";
import type { InboundSender, Inbox, Platform } from "../ports/platform.js";
import type { NoticeView, Reader } from "../ports/reader.js";

/** Something that happened in the room, to be printed. */
export type DemoLine =
  | { readonly kind: "speech" | "press"; readonly name: string; readonly isPerson: boolean; readonly text: string }
  | { readonly kind: "notice"; readonly title: string; readonly text: string; readonly buttons: readonly string[] };

/** A room of the real engine with one person in it, without a browser or a port. */
export interface DemoRoom {
  start(): Promise<void>;
  /** The person says something. */
  say(text: string): Promise<void>;
  /** The person presses the button with this action. Rejects when no open notice has one. */
  press(action: string): Promise<void>;
  /** What is new, once nobody has anything left to say. Rejects when the signal aborts first. */
  newLines(signal: AbortSignal): Promise<readonly DemoLine[]>;
  stop(): Promise<void>;
}

const ROOM = "demo:local:room";
const PERSON: InboundSender = { kind: "person", id: "demo:local:person", name: "You", isAdmin: true };
const MOST_ENTRIES = 500;

/** The room on the store of the configuration's data folder. Nothing is opened until `start`. */
export function createDemoRoom(config: LoadedConfig): DemoRoom {
  const logger = createLogger({ level: "error", secrets: [], output: process.stderr });
  const troupe = createEngine({ config, env: {}, storage: fileStorage(config.dataDir), logger });
  const { reader, inbox } = troupe;
  troupe.addPlatform(logPlatform());
  let messages = 0;
  let last = 0;

  return {
    start: () => troupe.start(),
    async say(text) {
      messages += 1;
      await inbox.message({
        id: `message-${messages}`,
        session: ROOM,
        from: PERSON,
        text,
        at: Date.now(),
        direct: true,
      });
    },
    press: (action) => press(reader, inbox, action),
    async newLines(signal) {
      await untilAborted(troupe.idle(), signal);
      const entries = await reader.entries(ROOM, last, MOST_ENTRIES);
      last = entries.at(-1)?.entry.seq ?? last;
      const notices = (await reader.room(ROOM))?.notices ?? [];
      return entries.flatMap(({ entry }) => lineOf(entry, notices));
    },
    stop: () => troupe.stop(),
  };
}

async function press(reader: Reader, inbox: Inbox, action: string): Promise<void> {
  const open = (await reader.room(ROOM))?.notices.filter((notice) => notice.state === "open") ?? [];
  const button = open.flatMap(({ view }) => view.buttons ?? []).find((one) => one.action === action);
  if (button === undefined) throw new Error(`expected an open notice with ${action}, got none`);
  await inbox.press({ room: ROOM, from: PERSON, action, value: button.value });
}

function lineOf(entry: Entry, notices: readonly NoticeView[]): readonly DemoLine[] {
  const { sender, text } = entry;
  const isPerson = sender.kind === "person";
  switch (entry.kind) {
    case "message":
      return [{ kind: "speech", name: sender.name, isPerson, text }];
    case "directive":
      return [{ kind: "press", name: sender.name, isPerson, text }];
    case "agent_pair_resumed":
      return isPerson ? [{ kind: "press", name: sender.name, isPerson, text: "Resume" }] : [];
    case "notice":
    case "error": {
      const view: View = notices.find(({ id }) => id === entry.notice)?.view ?? { text: entry.text };
      const text = [view.text, ...(view.fields ?? []).map(({ label, value }) => `${label}: ${value}`)].join("\n");
      return [
        { kind: "notice", title: view.title ?? "", text, buttons: (view.buttons ?? []).map(({ label }) => label) },
      ];
    }
    default:
      return [];
  }
}

/** A platform that shows the log itself: there is nothing to post, and nobody else to hear. */
function logPlatform(): Platform {
  const nothing = async () => {};
  return {
    name: "demo",
    capabilities: {
      delivery: "log",
      threads: false,
      edit: true,
      ephemeral: false,
      buttons: true,
      typing: false,
      identity: true,
    },
    start: nothing,
    status: () => ({ ready: true }),
    post: async () => ({ status: "rejected", reason: "the log is shown as it is", retry: false }),
    find: async () => ({ status: "unknown" }),
    edit: async () => ({ status: "rejected", reason: "the log is shown as it is", retry: false }),
    typing: nothing,
    ephemeral: nothing,
    stop: nothing,
  };
}

function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
