import type { InboundSender, SessionId, View } from "../../src/index.js";

/** Tells an admin, once each, what only an admin can mend. */
export interface AdminHints {
  add(text: string): void;
  /** Somebody has said something: if it is an admin, this is the moment. Never rejects. */
  spoke(session: SessionId, from: InboundSender): Promise<void>;
}

/** More than this at once is a broken installation, which the log tells of. */
const MOST_WAITING = 20;
const MOST_TOLD = 200;

/**
 * `show` shows something to one person only. What could not be shown is shown to the next admin. `told`: what admins have been told
 * already; kept by whoever outlives a restart of the connection, since nothing is to be told again after it.
 */
export function createAdminHints(
  show: (session: SessionId, to: string, view: View) => Promise<void>,
  told: Set<string> = new Set(),
): AdminHints {
  const waiting = new Set<string>();
  return {
    add(text) {
      if (waiting.size < MOST_WAITING && !told.has(text)) waiting.add(text);
    },
    async spoke(session, from) {
      if (!from.isAdmin || waiting.size === 0) return;
      const texts = [...waiting];
      waiting.clear();
      for (const text of texts) if (told.size < MOST_TOLD) told.add(text);
      const view: View = { title: "Something to mend", text: texts.join("\n\n"), tone: "warning" };
      await show(session, from.id, view).catch(() => {
        for (const text of texts) {
          told.delete(text);
          waiting.add(text);
        }
      });
    },
  };
}
