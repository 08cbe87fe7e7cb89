import type { Json } from "./wire.js";

/** One request as it came in, and what became of it. Tokens stand here by the name of their app, never by value. */
export interface SlackRequest {
  readonly method: string;
  /** `troupe` for a bot token, `troupe (app)` for an app token, `unknown` or `none`. */
  readonly token: string;
  /** Where the token stood. */
  readonly tokenIn: readonly ("header" | "body")[];
  readonly args: Json;
  readonly at: number;
  /** The number of this request of its method, from 1. */
  readonly count: number;
  /** `ok`, the API's error, `429`, another status, `dropped` or `hangs`; `undefined` while it runs. */
  outcome: string | undefined;
  /** The answer was withheld though the method ran. */
  isWithheld: boolean;
}

/** How often those who wait look again for what happens elsewhere. */
const LOOK_EVERY_MS = 5;

/** What was asked, in order; and waiting for things to happen without a clock. */
export interface Recorder {
  readonly requests: readonly SlackRequest[];
  /** Those of one method, of one app when named. */
  of(method: string, token?: string): readonly SlackRequest[];
  add(request: Omit<SlackRequest, "count" | "outcome" | "isWithheld">): SlackRequest;
  /** Resolves with what `look` finds, as soon as it finds something; it looks whenever something happens here, and now and then. */
  until<T>(look: () => T | undefined | false): Promise<T>;
  /** Something has happened: those who wait look again. */
  changed(): void;
  close(): void;
}

export function createRecorder(): Recorder {
  const requests: SlackRequest[] = [];
  const counts = new Map<string, number>();
  const waiting = new Set<{ readonly look: () => void; readonly stop: (error: Error) => void }>();

  return {
    requests,
    of: (method, token) => requests.filter((it) => it.method === method && (token === undefined || it.token === token)),
    add(request) {
      const count = (counts.get(request.method) ?? 0) + 1;
      counts.set(request.method, count);
      const recorded = { ...request, count, outcome: undefined, isWithheld: false };
      requests.push(recorded);
      return recorded;
    },
    until<T>(look: () => T | undefined | false) {
      const now = look();
      if (now !== undefined && now !== false) return Promise.resolve(now);
      return new Promise<T>((resolve, reject) => {
        const timer = setInterval(() => waiter.look(), LOOK_EVERY_MS);
        const end = () => {
          clearInterval(timer);
          waiting.delete(waiter);
        };
        const waiter = {
          look() {
            const found = look();
            if (found === undefined || found === false) return;
            end();
            resolve(found);
          },
          stop(error: Error) {
            end();
            reject(error);
          },
        };
        waiting.add(waiter);
      });
    },
    changed() {
      for (const waiter of waiting) waiter.look();
    },
    close() {
      for (const waiter of waiting) waiter.stop(new Error("the fake Slack closed before this happened"));
    },
  };
}
