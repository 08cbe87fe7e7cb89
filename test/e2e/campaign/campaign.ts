import { systemClock } from "../../../src/clock.js";
import { roomOf } from "../../../src/domain/ids.js";
import { delay } from "../../../src/ports/clock.js";
import type { Answer, Post } from "../../../src/ports/platform.js";
import { ANN } from "../../support/rooms.js";
import { type CampaignChat, createCampaignChat } from "./chat.js";
import { type Conversation, conversation, differences, postedReplies } from "./conversations.js";
import type { Answers, ChatAnswer, ChatCall, Request } from "./protocol.js";
import { createRandom, type Random } from "./random.js";
import { startWorker, type Worker, WorkerDied } from "./worker.js";

export interface CampaignOptions {
  readonly dataDir: string;
  readonly conversations: number;
  /** How often the process is killed. */
  readonly kills: number;
  readonly seed: number;
}

/** What a campaign leaves: the store in its folder, and this. */
export interface CampaignResult {
  readonly chat: CampaignChat;
  readonly conversations: readonly Conversation[];
  /** Kills that came while the process was at work, and those that hit it while it started. */
  readonly killed: { readonly working: number; readonly starting: number };
  readonly redelivered: number;
  readonly violations: readonly string[];
}

/** Conversations that go on at the same time. */
const AT_ONCE = 12;

/** Where a kill hits the process that makes a call to the chat: before the call is taken, after it, or after its answer. */
type KillPoint = "before" | "after" | "answered";

/** Talks to a process that is killed again and again, until everything that was said is answered. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  return new Campaign(options).run();
}

class Campaign {
  readonly #options: CampaignOptions;
  readonly #random: Random;
  readonly #chat: CampaignChat;
  readonly #conversations: readonly Conversation[];
  readonly #violations: string[] = [];
  readonly #killed = { working: 0, starting: 0 };
  /** The buttons that have been shown. */
  readonly #seen = new Set<string>();
  readonly #continued = new Map<string, number>();
  readonly #presses = new Set<Promise<void>>();
  #redelivered = 0;
  /** The process that serves, or will. */
  #worker: Promise<Worker>;
  /** Calls to the chat until the next kill. */
  #fuse: { left: number; readonly at: KillPoint; readonly ms: number } | undefined;
  #isOver = false;

  constructor(options: CampaignOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed);
    this.#chat = createCampaignChat(this.#random, (post) => this.#onView(post));
    this.#conversations = Array.from({ length: options.conversations }, (_, n) => conversation(n));
    this.#worker = this.#next();
  }

  async run(): Promise<CampaignResult> {
    const waiting = [...this.#conversations];
    const talk = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await this.#hold(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, talk));
    this.#isOver = true;
    this.#fuse = undefined;
    await Promise.all(this.#presses);
    await this.#ask({ type: "quiet" });
    const worker = await this.#worker;
    await worker.ask({ type: "stop" });
    await worker.gone;
    return {
      chat: this.#chat,
      conversations: this.#conversations,
      killed: this.#killed,
      redelivered: this.#redelivered,
      violations: this.#violations,
    };
  }

  /** Says a conversation's messages, some of them twice, and waits for all of its replies. */
  async #hold(one: Conversation): Promise<void> {
    for (const { id, text } of one.messages) {
      const message = { id, session: one.session, from: ANN, text, at: systemClock.now() };
      const accepted = await this.#ask({ type: "message", message });
      if (this.#random.below(6) > 0) continue;
      this.#redelivered++;
      const again = await this.#ask({ type: "message", message });
      if (!again.duplicate || again.seq !== accepted.seq) this.#violations.push(`${id} was accepted twice`);
    }
    await this.#chat.until((posted) =>
      differences(one, postedReplies(one, posted)).every((line) => !line.includes(": no ")),
    );
  }

  /** Asks the process that serves; one that dies over it is asked again when it is back. */
  async #ask<K extends Request["type"]>(request: Extract<Request, { type: K }>): Promise<Answers[K]> {
    for (;;) {
      try {
        return await (await this.#worker).ask<K>(request);
      } catch (error) {
        if (!(error instanceof WorkerDied)) throw error;
        // Resolves with the next process: `#next` is called before anybody hears of the death.
        await delay(systemClock, 1);
      }
    }
  }

  /** A person presses what a notice offers: Retry always, Continue as often as its conversation wants. */
  #onView({ body, session }: Post): void {
    const [button] = body.kind === "view" ? (body.view.buttons ?? []) : [];
    if (!button || this.#seen.has(button.value)) return;
    this.#seen.add(button.value);
    const { action, value } = button;
    if (action === "troupe:continue" && !this.#mayContinue(session)) return;
    const press = this.#press({ action, value, room: roomOf(session), from: ANN });
    this.#presses.add(press);
    void press.finally(() => this.#presses.delete(press));
  }

  #mayContinue(session: string): boolean {
    const wanted = this.#conversations.find((one) => one.session === session)?.continues ?? 0;
    const before = this.#continued.get(session) ?? 0;
    this.#continued.set(session, before + 1);
    return before < wanted;
  }

  async #press(press: Extract<Request, { type: "press" }>["press"]): Promise<void> {
    let answer: Answer;
    do answer = await this.#ask({ type: "press", press });
    while (answer.view.text.includes("press again"));
  }

  /** Starts the next process; when it is gone, another one follows, until the campaign is over. */
  async #next(): Promise<Worker> {
    const worker = startWorker({
      dataDir: this.#options.dataDir,
      onCall: (call) => this.#onCall(worker, call),
      onViolation: (text) => void this.#violations.push(text),
    });
    void worker.gone.then(() => {
      if (!this.#isOver) this.#worker = this.#next();
    });
    this.#arm(worker);
    await worker.ready.catch(() => undefined);
    return worker;
  }

  #arm(worker: Worker): void {
    this.#fuse = undefined;
    const { working, starting } = this.#killed;
    if (working + starting >= this.#options.kills) return;
    if (this.#random.below(8) === 0) {
      this.#killed.starting++;
      systemClock.after(this.#random.below(600), () => worker.kill());
      return;
    }
    this.#fuse = {
      left: this.#random.below(24),
      at: this.#random.pick<KillPoint>(["before", "after", "answered"]),
      ms: this.#random.below(12),
    };
  }

  /** Takes a call to the chat, and kills the process that made it when its time has come. */
  async #onCall(worker: Worker, call: ChatCall): Promise<ChatAnswer> {
    const fuse = this.#fuse;
    if (!fuse || fuse.left-- > 0) return this.#chat.take(call);
    this.#fuse = undefined;
    this.#killed.working++;
    if (fuse.at === "answered") {
      systemClock.after(fuse.ms, () => worker.kill());
      return this.#chat.take(call);
    }
    worker.kill();
    return fuse.at === "after" ? this.#chat.take(call) : undefined;
  }
}
