import { PlatformError, type View } from "../../../src/index.js";
import { splitView, viewBlocks, viewFallback } from "./view-blocks.js";

const TIMEOUT_MS = 10_000;
/** So often an address may be used. */
const MOST_ANSWERS = 5;
const CUT = "… There is more than Slack shows here.";

/**
 * Shows a view to whoever gave a command, where it was given: in channels that the app is not in, too; in as many messages as it needs
 * and Slack allows. Rejects with a `PlatformError` when Slack does not take it.
 */
export async function respond(url: string, view: View): Promise<void> {
  const parts = splitView(view);
  for (const [index, part] of parts.slice(0, MOST_ANSWERS).entries()) {
    const isCut = index === MOST_ANSWERS - 1 && parts.length > MOST_ANSWERS;
    await send(url, isCut ? { ...part, text: `${part.text}\n\n${CUT}` } : part);
  }
}

async function send(url: string, view: View): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ response_type: "ephemeral", text: viewFallback(view), blocks: viewBlocks(view) }),
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await answer.body?.cancel();
  if (!answer.ok)
    throw new PlatformError("platform_failed", `Slack answered ${answer.status} to the answer of a command`);
}
