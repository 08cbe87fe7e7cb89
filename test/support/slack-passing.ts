import { settle } from "./fake-clock.js";
import type { SlackTown } from "./slack-town.js";

/** Lets time pass in small steps, and what is on the wire arrive in between, until this is so. */
export async function passUntil({ clock }: SlackTown, look: () => boolean, stepMs = 200): Promise<void> {
  while (!look()) {
    await settle(40);
    if (look()) return;
    await clock.advance(stepMs);
  }
}
