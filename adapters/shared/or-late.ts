import type { Clock } from "../../src/index.js";

/** What the work gives; `late` if that takes longer than so many milliseconds: then the work goes on unheard. Rejects as the work does. */
export async function orLate<T, L>(work: Promise<T>, ms: number, clock: Clock, late: L): Promise<T | L> {
  let cancel = () => {};
  const isOver = new Promise<L>((resolve) => {
    cancel = clock.after(ms, () => resolve(late));
  });
  try {
    return await Promise.race([work, isOver]);
  } finally {
    cancel();
  }
}
