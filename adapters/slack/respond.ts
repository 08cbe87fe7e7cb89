import { PlatformError, type View } from "../../src/index.js";
import { viewBlocks, viewFallback } from "./view-blocks.js";

const TIMEOUT_MS = 10_000;

/**
 * Shows a view to whoever gave a command, where it was given: in channels that the app is not in, too. Rejects with a `PlatformError` when
 * Slack does not take it.
 */
export async function respond(url: string, view: View): Promise<void> {
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
