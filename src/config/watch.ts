import { type FSWatcher, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../ports/clock.js";
import { type PersonaFolder, type PersonaSet, readPersonas } from "./personas.js";

/** Editors write a file in several steps. */
const SETTLE_MS = 200;
/** Some file systems (network, containers) tell nothing of changes, and a folder may be replaced: look anyway. */
const SWEEP_MS = 5000;

/** What watching persona files needs. */
export interface WatchOptions {
  readonly folder: PersonaFolder;
  /** The set in use. */
  readonly initial: PersonaSet;
  readonly clock: Clock;
  /**
   * Called with each new set that differs from the last, in personas or in problems. A file that is broken now keeps its
   * persona of before; a file that is gone takes its persona along.
   */
  readonly onChange: (set: PersonaSet) => void;
  /** Ends the watching. */
  readonly signal: AbortSignal;
}

/** A running watch. */
export interface PersonaWatch {
  /** Reads the folder now. Calls are done one after the other. */
  reload(): Promise<PersonaSet>;
}

/** Follows the persona files of a folder without a restart. Never throws, and holds no process alive. */
export function watchPersonas({ folder, initial, clock, onChange, signal }: WatchOptions): PersonaWatch {
  let current = initial;
  let running: Promise<PersonaSet> = Promise.resolve(initial);

  const readOnce = async () => {
    const next = await readPersonas(folder, current);
    if (signal.aborted || isSame(current, next)) return current;
    current = next;
    onChange(next);
    return next;
  };
  const reload = () => {
    running = running.then(readOnce);
    return running;
  };

  if (!signal.aborted) followChanges(folder.dir, { clock, signal, reload });
  return { reload };
}

function isSame(a: PersonaSet, b: PersonaSet): boolean {
  return JSON.stringify([a.personas, a.problems]) === JSON.stringify([b.personas, b.problems]);
}

interface Following {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  reload(): Promise<PersonaSet>;
}

function followChanges(dir: string, { clock, signal, reload }: Following): void {
  let cancelSettle = () => {};
  let cancelSweep = () => {};
  let watcher: FSWatcher | undefined;
  let seen: string | undefined;

  const settle = () => {
    cancelSettle();
    cancelSettle = clock.after(SETTLE_MS, () => void reload());
  };
  const sweep = async () => {
    const stamp = await stampOf(dir);
    if (signal.aborted) return;
    if (stamp !== seen) {
      // The folder itself may be a new one, which the old watcher would not see.
      watcher?.close();
      watcher = undefined;
      await reload();
      if (signal.aborted) return;
    }
    seen = stamp;
    watcher ??= openWatcher(dir, settle, () => {
      watcher = undefined;
    });
    cancelSweep = clock.after(SWEEP_MS, () => void sweep());
  };
  signal.addEventListener(
    "abort",
    () => {
      cancelSettle();
      cancelSweep();
      watcher?.close();
    },
    { once: true },
  );
  void sweep();
}

/** `undefined` when the system cannot watch; the sweep tries again. */
function openWatcher(dir: string, onEvent: () => void, onEnd: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(dir, { persistent: false }, onEvent);
    watcher.on("error", () => {
      watcher.close();
      onEnd();
    });
    return watcher;
  } catch {
    return undefined;
  }
}

/** Changes whenever a file of the folder does, or the folder itself is another one. */
async function stampOf(dir: string): Promise<string> {
  try {
    const names = (await readdir(dir)).toSorted();
    const stamps = await Promise.all(
      ["", ...names].map((name) => stat(join(dir, name)).then(stampOfFile, () => "gone")),
    );
    return JSON.stringify([names, stamps]);
  } catch {
    return "unreadable";
  }
}

function stampOfFile({ ino, size, mtimeMs }: { ino: number; size: number; mtimeMs: number }): string {
  return `${ino}:${size}:${mtimeMs}`;
}
