import type { Clock } from "../../../src/index.js";
import type { Hint } from "../../shared/hints.js";
import type { Deliveries } from "./deliveries.js";

/** Notices that another process speaks with the same token. */
export interface Twins {
  /** A message of our application has come back. */
  saw(messageId: string): void;
}

interface TwinsDeps {
  readonly deliveries: Pick<Deliveries, "isClaimed">;
  readonly clock: Clock;
  readonly hint: Hint;
}

/** By then a message has been claimed by the post that it is, also one whose answer was lost. */
const CLAIMED_BY_MS = 60_000;
/** One may be what an earlier process had on its way. */
const MOST_STRANGE = 2;
const MOST_WAITING = 500;

const TWIN =
  "another process uses DISCORD_TOKEN too: it posts what this one has not posted, so that people get every answer twice; stop it, or give it an application of its own";

/** Discord gives everything to both and tells neither; only what the other one says shows that it is there. */
export function createTwins({ deliveries, clock, hint }: TwinsDeps): Twins {
  let waiting: readonly { readonly id: string; readonly at: number }[] = [];
  let strange = 0;

  return {
    saw(id) {
      const now = clock.monotonic();
      const isDue = ({ at }: { readonly at: number }) => now - at >= CLAIMED_BY_MS;
      strange += waiting.filter((one) => isDue(one) && !deliveries.isClaimed(one.id)).length;
      waiting = [...waiting.filter((one) => !isDue(one)), { id, at: now }].slice(-MOST_WAITING);
      if (strange >= MOST_STRANGE) hint("twin", TWIN);
    },
  };
}
