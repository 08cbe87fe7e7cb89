import type { InboundSender, SessionId, View } from "../../src/index.js";

/** Tells an admin, once each, what only an admin can mend. */
export interface AdminHints {
  add(text: string): void;
  /** Somebody has said something: if it is an admin, this is the moment. Never rejects. */
  spoke(session: SessionId, from: InboundSender): Promise<void>;
}

/** More than this at once is a broken installation, which the log tells of. */
const MOST_WAITING = 20;

/** `show` shows something to one person only. What could not be shown is shown to the next admin. */
export function createAdminHints(show: (session: SessionId, to: string, view: View) => Promise<void>): AdminHints {
  const waiting = new Set<string>();
  return {
    add(text) {
      if (waiting.size < MOST_WAITING) waiting.add(text);
    },
    async spoke(session, from) {
      if (!from.isAdmin || waiting.size === 0) return;
      const texts = [...waiting];
      waiting.clear();
      const view: View = { title: "Something to mend", text: texts.join("\n\n"), tone: "warning" };
      await show(session, from.id, view).catch(() => {
        for (const text of texts) waiting.add(text);
      });
    },
  };
}
