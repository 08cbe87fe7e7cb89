import type { ConfigProblem } from "./problem.js";
import { type Place, problemAt } from "./validate.js";
import type { Path } from "./yaml-source.js";

const MEND =
  "remove it here and set it in the environment, or let a variable ending in _FILE name a file that holds it";

/** Every key, at any depth, whose name says that a secret follows. Its value is never shown. */
export function secretKeys(value: unknown, place: Place, above: Path = []): readonly ConfigProblem[] {
  if (typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, child]) => {
    const path = [...above, isList ? Number(key) : key];
    if (isList || !isSecretKey(key)) return secretKeys(child, place, path);
    return [problemAt(place, { path, at: "key", message: "secrets are never read from this file", mend: MEND })];
  });
}

function isSecretKey(key: string): boolean {
  return /^[\w.-]+$/.test(key) && /token|secret|passw|credential|api[-_]?key|private[-_]?key/i.test(key);
}
