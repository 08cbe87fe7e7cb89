import { type FakeClock, settle } from "./fake-clock.js";

/** Lets time pass in small steps, and what is on the wire arrive in between, until this is so. */
export async function passUntil(
  { clock }: { readonly clock: FakeClock },
  look: () => boolean,
  stepMs = 200,
): Promise<void> {
  while (!look()) {
    await settle(40);
    if (look()) return;
    await clock.advance(stepMs);
  }
}
