import { close, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { storeErrorOf } from "./errors.js";

const flush = promisify(fdatasync);

/** Brings what has been written to the database's log onto the disk. */
export interface WalSync {
  /**
   * Resolves when everything written until now would survive power loss. Whoever asks at the same time shares one sync. Rejects with
   * a `StoreError`.
   */
  sync(): Promise<void>;
  /** Ends when the syncs under way have. Never rejects. */
  close(): Promise<void>;
}

/**
 * Syncs the write-ahead log beside a database file, off this thread: a commit need not hold up everything else until the disk has
 * turned. The log is one file from its opening to its closing, and holds whole commits in their order.
 */
export function openWalSync(databaseFile: string, dataDir: string): WalSync {
  const fd = openSync(`${databaseFile}-wal`, "r");
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return {
    sync() {
      // The one that runs may have begun before the newest write.
      next ??= last
        .catch(() => undefined)
        .then(() => {
          last = next ?? last;
          next = undefined;
          return flush(fd);
        })
        .catch((error: unknown) => Promise.reject(storeErrorOf(error, dataDir)));
      return next;
    },
    async close() {
      await (next ?? last).catch(() => undefined);
      await promisify(close)(fd);
    },
  };
}
