import { type Clock, delay } from "../../src/index.js";
import type { Unanswered } from "./failures.js";
import type { Hint } from "./hints.js";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** While the platform does not answer nothing can be posted either. */
const LONGEST_SEARCH_MS = 60 * 60_000;

/** A failure of a call, whatever refusals the platform knows. */
type Failure = Unanswered | { readonly kind: "refused" };

/** Looks until the platform has answered, with longer and longer pauses; `unknown` after an hour. Rejects when the signal aborts. */
export async function searchUntilAnswered<Found extends { readonly status: string }>(
  look: () => Promise<Found | Failure>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Found | { readonly status: "unknown" }> {
  const until = clock.monotonic() + LONGEST_SEARCH_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (!("kind" in found)) return found;
    if (clock.monotonic() >= until) return { status: "unknown" };
    await delay(clock, found.kind === "limited" ? found.retryAfterMs : pauseMs, signal);
  }
}

/** Tells an admin, once for each channel, why posts cannot be looked for there. `shown`: the channel as the platform shows it. */
export function hintNotSearched(hint: Hint, channel: string, why: string, shown = channel): void {
  hint(
    `look ${channel}`,
    `Cannot look for posts in ${shown}, so that one that may have failed is not repeated. ${why}.`,
  );
}
