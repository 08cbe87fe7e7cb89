import { answerRoutes } from "./routes/answers.js";
import { channelRoutes } from "./routes/channels.js";
import { commandRoutes } from "./routes/commands.js";
import { executeRoutes } from "./routes/executing.js";
import { messageRoutes } from "./routes/messages.js";
import { roleRoutes } from "./routes/roles.js";
import type { Route, Routes } from "./routes/route.js";
import { threadRoutes } from "./routes/threads.js";
import { webhookRoutes } from "./routes/webhooks.js";

/** A call's operation, and what stands in its path. */
export interface Matched {
  readonly method: string;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface Line {
  readonly method: string;
  readonly route: Route;
  readonly steps: readonly string[];
}

const ROUTES: Routes = {
  ...answerRoutes,
  ...channelRoutes,
  ...commandRoutes,
  ...executeRoutes,
  ...messageRoutes,
  ...roleRoutes,
  ...threadRoutes,
  ...webhookRoutes,
};

/** Those with the fewest parameters first, so that `@me` and `@original` win. */
const LINES: readonly Line[] = Object.entries(ROUTES)
  .map(([method, route]) => ({ method, route, steps: route.path.split("/") }))
  .sort((a, b) => countParams(a.steps) - countParams(b.steps));

function countParams(steps: readonly string[]): number {
  return steps.filter(isParam).length;
}

function isParam(step: string): boolean {
  return step.startsWith("{");
}

/** Finds the operation of a path, which comes percent-encoded. */
export function match(verb: string, path: string): Matched | undefined {
  const asked = path.split("/").map(decodeURIComponent);
  for (const { method, route, steps } of LINES) {
    if (route.verb !== verb || steps.length !== asked.length) continue;
    if (!steps.every((step, index) => isParam(step) || step === asked[index])) continue;
    const named = steps.map((step, index) => [step.slice(1, -1), asked[index] ?? ""] as const);
    return { method, route, params: Object.fromEntries(named.filter((_, index) => isParam(steps[index] ?? ""))) };
  }
  return undefined;
}
