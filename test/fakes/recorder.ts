/** What every fake platform knows of a request as it comes in. */
interface Request {
  readonly method: string;
  /** The name of its token's app, never the token. */
  readonly token: string;
}

/** What has become of a request. */
export interface Recorded {
  /** The number of this request of its method, from 1. */
  readonly count: number;
  /** `ok`, the platform's own word or number, another status, `dropped` or `hangs`; `undefined` while it runs. */
  outcome: string | undefined;
  /** The answer was withheld though it was done. */
  isWithheld: boolean;
}

/** How often those who wait look again for what happens elsewhere. */
const LOOK_EVERY_MS = 5;

/** What was asked, in order; and waiting for things to happen without a clock. */
export interface Recorder<Asked> {
  readonly requests: readonly (Asked & Recorded)[];
  /** Those of one method, of one app when named. */
  of(method: string, token?: string): readonly (Asked & Recorded)[];
  add(request: Asked): Asked & Recorded;
  /** Resolves with what `look` finds, as soon as it finds something; it looks whenever something happens here, and now and then. */
  until<T>(look: () => T | undefined | false): Promise<T>;
  /** Something has happened: those who wait look again. */
  changed(): void;
  close(): void;
}

/** `platform`: whose fake it is, for the error of those who still wait at its end. */
export function createRecorder<Asked extends Request>(platform: string): Recorder<Asked> {
  const requests: (Asked & Recorded)[] = [];
  const counts = new Map<string, number>();
  const waiting = new Set<{ readonly look: () => void; readonly stop: (error: Error) => void }>();

  return {
    requests,
    of: (method, token) => requests.filter((it) => it.method === method && (token === undefined || it.token === token)),
    add(request) {
      const count = (counts.get(request.method) ?? 0) + 1;
      counts.set(request.method, count);
      const fresh: Recorded = { count, outcome: undefined, isWithheld: false };
      const recorded = { ...request, ...fresh };
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
      for (const waiter of waiting) waiter.stop(new Error(`the fake ${platform} closed before this happened`));
    },
  };
}
