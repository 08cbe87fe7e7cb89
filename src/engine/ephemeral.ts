import type { SessionId } from "../domain/ids.js";
import type { View } from "../domain/view.js";
import { type EngineContext, platformFor } from "./context.js";

/** Whom something is for, and where they are. */
export interface Listener {
  readonly session: SessionId;
  /** The platform's id of the person. */
  readonly to: string;
  /** The message of theirs that is answered, by the platform's id. */
  readonly about?: string;
}

/** Shows something to one person. Best effort: a platform that fails is logged, the room goes on. */
export async function tellOne(context: EngineContext, { session, to, about }: Listener, view: View): Promise<void> {
  try {
    await platformFor(context, session)?.ephemeral(session, to, view, about);
  } catch (error) {
    context.logger.warn({ session, error }, "could not show a hint");
  }
}
