/** One line of the table that the benchmarks print. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The most that the value may be; absent: it is shown for its own sake. */
  readonly bar?: number;
}

/** A set of measurements. It cleans up what it makes. */
export interface Bench {
  run(): Promise<{ readonly rows: readonly Row[] }>;
}

/** Whether the value keeps to its bar; a row without one always does. */
export function isWithin({ value, bar }: Row): boolean {
  return bar === undefined || value <= bar;
}

/** The middle one of some numbers; `NaN` of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
