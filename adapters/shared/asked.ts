import type { Answer, Logger, View } from "../../src/index.js";

const FAILED: View = { text: "That failed; the log has the details.", tone: "error" };

/** The answer to a command or a click; a few words where there is none. Never rejects. */
export async function answerTo(ask: () => Promise<Answer>, platform: string, logger: Logger): Promise<Answer> {
  return ask().catch((error: unknown) => {
    logger.error({ error }, `what somebody asked for in ${platform} failed`);
    return { ok: false, view: FAILED, public: false };
  });
}
