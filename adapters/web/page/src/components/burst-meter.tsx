import type { VNode } from "preact";
import type { RoomState } from "../wire.js";

/** More steps than this are drawn as one bar. */
const MOST_STEPS = 12;

function Steps({ used, budget }: { readonly used: number; readonly budget: number }): VNode {
  if (budget > MOST_STEPS) {
    return (
      <span class="bar">
        <span class="bar-fill" style={{ width: `${Math.min(100, (100 * used) / budget)}%` }} />
      </span>
    );
  }
  return (
    <span class="steps">
      {Array.from({ length: budget }, (_, step) => (
        <span key={step} class={step < used ? "step used" : "step"} />
      ))}
    </span>
  );
}

/** How many agent messages in a row there were without a person, of how many. */
export function BurstMeter({
  burst,
  label = false,
}: {
  readonly burst: RoomState["burst"];
  readonly label?: boolean;
}): VNode {
  const { used, budget, source } = burst;
  const words = `Burst: ${used} of ${budget} agent messages in a row without a person (budget: ${source})`;
  return (
    <p class={used >= budget ? "burst full" : "burst"} title={words}>
      <span class="hidden">{words}</span>
      {label && (
        <span class="burst-label" aria-hidden="true">
          Burst
        </span>
      )}
      <Steps used={used} budget={budget} />
      <span class="burst-count" aria-hidden="true">
        {used}/{budget}
      </span>
    </p>
  );
}
