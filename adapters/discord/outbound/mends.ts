import { CODE, type Failure, WEBHOOK_GONE } from "./results.js";

/** What can be done about a refusal before a post is sent again: a refused message was not shown. Each is tried once for a post. */
export type Mend = "webhook" | "moved" | "thread" | "name" | "handle" | "picture";

/** How the post was sent that was refused. */
export interface Refusal {
  readonly failure: Failure;
  readonly isInThread: boolean;
  /** Through a webhook. */
  readonly isPersona: boolean;
}

/** The mend for a refusal, if there is one that was not tried yet. It is noted as tried. */
export function nextMend(refusal: Refusal, tried: Set<Mend>): Mend | undefined {
  const mend = mendFor(refusal);
  if (mend === undefined) return undefined;
  const next = tried.has(mend) ? SECOND[mend] : mend;
  if (next === undefined || tried.has(next)) return undefined;
  tried.add(next);
  return next;
}

/** A name has a second one; and behind a thread that stays unknown may be a webhook that was moved elsewhere. */
const SECOND: Partial<Record<Mend, Mend>> = { name: "handle", thread: "moved" };

function mendFor({ failure, isInThread, isPersona }: Refusal): Mend | undefined {
  if (failure.kind !== "refused") return undefined;
  const { code, fields } = failure;
  if (code === CODE.unknownChannel && isInThread) return "thread";
  if (!isPersona) return undefined;
  if (code === CODE.unknownChannel) return "moved";
  if (WEBHOOK_GONE.has(code)) return "webhook";
  return code === CODE.invalidForm ? lookMend(fields) : undefined;
}

function lookMend(fields: readonly string[]): Mend | undefined {
  if (fields.includes("username")) return "name";
  return fields.includes("avatar_url") ? "picture" : undefined;
}
