import type { Clock } from "../../src/index.js";
import { remember } from "./bounded-map.js";

/** Answers of a platform, asked for once and good for a while. */
export interface KnownAnswers<T> {
  /** The answer; where the platform gives none now, the last one that it gave. Never rejects. */
  find(key: string): Promise<T | undefined>;
  /** The last answer, also when it is not good any more. */
  known(key: string): T | undefined;
  /** Questions that are open now. */
  readonly asking: number;
}

interface KnownAnswersOptions<T> {
  /** Asks the platform. `undefined` is an answer too: that there is nothing. */
  readonly ask: (key: string) => Promise<T | undefined>;
  readonly onFailed: (key: string, error: unknown) => void;
  readonly most: number;
  readonly clock: Clock;
}

const GOOD_FOR_MS = 5 * 60_000;
/** After a failure others are not made to wait as well. */
const FAILED_FOR_MS = 30_000;

export function createKnownAnswers<T>({ ask, onFailed, most, clock }: KnownAnswersOptions<T>): KnownAnswers<T> {
  const answers = new Map<string, { readonly answer: T | undefined; readonly until: number }>();
  const asking = new Map<string, Promise<T | undefined>>();

  async function askAnew(key: string): Promise<T | undefined> {
    const before = answers.get(key)?.answer;
    try {
      const answer = await ask(key);
      remember(answers, key, { answer, until: clock.monotonic() + GOOD_FOR_MS }, most);
      return answer;
    } catch (error) {
      onFailed(key, error);
      remember(answers, key, { answer: before, until: clock.monotonic() + FAILED_FOR_MS }, most);
      return before;
    } finally {
      asking.delete(key);
    }
  }

  return {
    async find(key) {
      const entry = answers.get(key);
      if (entry && clock.monotonic() < entry.until) return entry.answer;
      const answer = asking.get(key) ?? askAnew(key);
      asking.set(key, answer);
      return answer;
    },
    known: (key) => answers.get(key)?.answer,
    get asking() {
      return asking.size;
    },
  };
}
