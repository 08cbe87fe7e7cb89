import type { SessionId } from "../domain/ids.js";
import type { View } from "../domain/view.js";
import { type EngineContext, platformFor } from "./context.js";

/** Shows something to one person. Best effort: a platform that fails is logged, the room goes on. */
export async function tellOne(context: EngineContext, session: SessionId, to: string, view: View): Promise<void> {
  try {
    await platformFor(context, session)?.ephemeral(session, to, view);
  } catch (error) {
    context.logger.warn({ session, error }, "could not show a hint");
  }
}
