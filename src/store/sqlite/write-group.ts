import type { Driver } from "./driver.js";

/** Gathers the writes of one turn of the event loop into one transaction: the file is written once for all of them. */
export interface WriteGroup {
  /**
   * Does the work at once, for every reader of this process to see. Throws what the work throws; then nothing that was gathered
   * with it is kept either.
   */
  add(work: () => void): void;
  /** Resolves when everything added until now survives the death of this process. Rejects with a `StoreError`. */
  kept(): Promise<void>;
  /** Writes what is gathered without waiting for the turn's end. Whom a failure concerns, `kept` tells. */
  flush(): void;
}

/** What is gathered until the turn ends. After a failure it stays until then, to tell whoever asks. */
interface Gathering {
  readonly kept: Promise<void>;
  readonly settle: (failure?: unknown) => void;
  failure?: { readonly error: unknown };
}

const KEPT = Promise.resolve();

/** `onLost` is called when what was gathered is not there any more. */
export function createWriteGroup(driver: Driver, onLost: () => void): WriteGroup {
  let current: Gathering | undefined;

  function begin(): Gathering {
    driver.use(() => driver.begin());
    let settle: Gathering["settle"] = () => {};
    const kept = new Promise<void>((resolve, reject) => {
      settle = (failure) => (failure === undefined ? resolve() : reject(failure));
    });
    // Nobody may be waiting for it.
    kept.catch(() => {});
    setImmediate(end);
    return { kept, settle };
  }

  function fail(gathering: Gathering, error: unknown): void {
    gathering.failure = { error };
    onLost();
    gathering.settle(error);
  }

  function write(gathering: Gathering): void {
    if (gathering.failure) return;
    try {
      driver.use(() => driver.commit());
      gathering.settle();
    } catch (error) {
      fail(gathering, error);
    }
  }

  function end(): void {
    const gathering = current;
    current = undefined;
    if (gathering) write(gathering);
  }

  return {
    add(work) {
      current ??= begin();
      if (current.failure) throw current.failure.error;
      try {
        driver.use(work);
      } catch (error) {
        driver.rollback();
        fail(current, error);
        throw error;
      }
    },
    kept: () => current?.kept ?? KEPT,
    flush() {
      if (current) write(current);
    },
  };
}
