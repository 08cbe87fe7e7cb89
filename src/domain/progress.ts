/**
 * Work that a persona has done in a session, newest last: `n` counts up without end, `digest` stands for the call's name,
 * input and result. Only completed, successful, non-messaging calls and file writes get here (behaviour 0.14).
 */
export interface WorkLog {
  /** The number of the newest call; 0 before the first. */
  readonly n: number;
  readonly calls: readonly { readonly n: number; readonly digest: string }[];
}

export const NO_WORK: WorkLog = { n: 0, calls: [] };

/** How many calls are remembered. A call that repeats one further back counts as new. */
const REMEMBERED = 256;

export function withWork(log: WorkLog, digest: string): WorkLog {
  const n = log.n + 1;
  return { n, calls: [...log.calls, { n, digest }].slice(-REMEMBERED) };
}

/** The number of each side's newest call at some moment of a pair. */
export type WorkMark = readonly [number, number];

/**
 * Whether either side has made progress since the pair's last exchange: a call that repeats none that either of them had
 * made between the last restart of the counters and that exchange.
 */
export function hasProgress(logs: readonly [WorkLog, WorkLog], exchange: WorkMark, restart: WorkMark): boolean {
  const before = new Set<string>();
  const since = new Set<string>();
  for (const side of [0, 1] as const) {
    for (const { n, digest } of logs[side].calls) {
      if (n > exchange[side]) since.add(digest);
      else if (n > restart[side]) before.add(digest);
    }
  }
  return [...since].some((digest) => !before.has(digest));
}

const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"|\\./gs;
const SUBSTITUTION = /`|\$\(/;
/** What joins commands, feeds one into another or sends its output to a file. */
const COMPOSITE = /[;&|<>`\n]|\$\(/;

/**
 * Whether a shell command is nothing but one `troupe say`: messaging, and no work. `npm test && troupe say done` is
 * work, and so is editing a file of that name.
 */
export function isMessagingCommand(command: string): boolean {
  const bare = command
    .trim()
    .replace(QUOTED, (quoted) => (quoted.startsWith('"') && SUBSTITUTION.test(quoted) ? "`" : "_"));
  return /^(?:npx\s+)?(?:\S*\/)?troupe\s+say(?:\s|$)/.test(bare) && !COMPOSITE.test(bare);
}
