/** Counts what the operator wants to see. The composition root gives it to Prometheus; tests leave it out. */
export interface Meter {
  received(): void;
  turn(result: string, ms: number): void;
  suppressed(): void;
  posted(result: string): void;
  running(delta: 1 | -1): void;
}

export const silentMeter: Meter = {
  received() {},
  turn() {},
  suppressed() {},
  posted() {},
  running() {},
};
