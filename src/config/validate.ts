import type { z } from "zod";
import { createKeyTree, type KeyTree } from "./key-tree.js";
import { type ConfigProblem, quoted } from "./problem.js";
import type { Path, YamlSource } from "./yaml-source.js";

type Issue = z.core.$ZodIssue;

/** A map with more unknown keys than this is something else; so many say enough. */
const MAX_UNKNOWN = 20;

/** Where a value was written. */
export interface Place {
  readonly source: YamlSource;
  readonly file: string;
}

/** What a value is worth against a schema. */
export interface Validated<Value> {
  readonly problems: readonly ConfigProblem[];
  /** The value in the schema's form; absent when there are problems. */
  readonly value?: Value;
  /** What is left of a faulty value without its faults, for further checks only. */
  readonly rest?: Value;
}

/** Checks a value and says everything that is wrong with it, each at its place. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: Place,
): Validated<z.output<Schema>> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { value: result.data, problems: [] };
  let tree: KeyTree | undefined;
  const context: Context = { place, keys: () => (tree ??= createKeyTree(schema)) };
  const { issues } = result.error;
  const rest = schema.safeParse(withoutFaults(value, issues));
  return {
    problems: issues.flatMap((issue) => toProblems(issue, [], context)),
    ...(rest.success ? { rest: rest.data } : {}),
  };
}

/** Keys at the top of a map that the schema does not know, as warnings. */
export function unknownKeys(schema: z.ZodObject, value: unknown, place: Place): readonly ConfigProblem[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const unknown = Object.keys(value)
    .filter((key) => !Object.hasOwn(schema.shape, key))
    .slice(0, MAX_UNKNOWN);
  const keys = unknown.length === 0 ? undefined : createKeyTree(schema);
  return unknown.map((key) => {
    const meant = keys?.meant([key]);
    const mend = meant === undefined ? {} : { mend: `did you mean ${meant}?` };
    const message = "is not a known key and has no effect";
    return { ...problemAt(place, { path: [key], at: "key", message, ...mend }), severity: "warning" };
  });
}

/** An error at a path of a file. */
export function problemAt(
  { source, file }: Place,
  { path, at, message, mend }: { path: Path; at: "key" | "value"; message: string; mend?: string | undefined },
): ConfigProblem {
  return {
    file,
    ...(at === "key" ? source.keyAt(path) : source.valueAt(path)),
    ...(path.length === 0 ? {} : { key: dotted(path) }),
    message,
    ...(mend === undefined ? {} : { mend }),
    severity: "error",
  };
}

/** A path as it is written in problems: `rooms.defaults.personas[0]`. */
export function dotted(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      const name = /^[\w-]+$/.test(String(step)) ? String(step) : quoted(String(step));
      return index === 0 ? name : `.${name}`;
    })
    .join("");
}

interface Context {
  readonly place: Place;
  /** Made when the first unknown key asks for it. */
  readonly keys: () => KeyTree;
}

function toProblems(issue: Issue, above: Path, context: Context): readonly ConfigProblem[] {
  const path = [...above, ...issue.path];
  const one = (at: "key" | "value", message: string, mend?: string) => [
    problemAt(context.place, { path, at, message, mend }),
  ];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.slice(0, MAX_UNKNOWN).map((key) => unknownKey([...path, key], context));
    case "invalid_key":
      return one("key", issue.issues[0]?.message ?? issue.message);
    case "invalid_union":
      return meantBranch(issue)?.flatMap((inner) => toProblems(inner, path, context)) ?? one("value", issue.message);
    case "invalid_type":
      return issue.input === undefined
        ? one("value", "is missing")
        : one("value", issue.message, issue.expected === "string" ? quotesMend(path, context) : undefined);
    default:
      return one("value", issue.message);
  }
}

function unknownKey(path: Path, { place, keys }: Context): ConfigProblem {
  const siblings = keys().siblings(path);
  if (siblings.includes(String(path.at(-1)))) {
    return problemAt(place, {
      path,
      at: "key",
      message: "does not go with the other keys here",
      mend: "keep one of them",
    });
  }
  const meant = keys().meant(path);
  const mend = meant === undefined ? `known keys: ${siblings.join(", ")}` : `did you mean ${meant}?`;
  return problemAt(place, { path, at: "key", message: "is not a known key", mend });
}

/**
 * Of a union's branches that fit the kind of value, the one whose keys fit best, then the one with the fewest faults, is
 * what was meant. Which of its keys is missing says nothing, as another branch may have been meant: unknown keys do.
 */
function meantBranch(issue: Issue & { code: "invalid_union" }): readonly Issue[] | undefined {
  const fitting = issue.errors.filter((branch) =>
    branch.every((inner) => inner.path.length > 0 || inner.code === "unrecognized_keys"),
  );
  const keyFaults = (branch: readonly Issue[]) => branch.filter(hasWrongKeys).length;
  const [best] = fitting.toSorted((a, b) => keyFaults(a) - keyFaults(b) || a.length - b.length);
  if (best === undefined || keyFaults(best) === 0) return best;
  const unknown = best.filter((inner) => inner.code === "unrecognized_keys");
  return unknown.length === 0 ? undefined : unknown;
}

function hasWrongKeys(issue: Issue): boolean {
  return (
    (issue.code === "unrecognized_keys" && issue.path.length === 0) ||
    (issue.path.length === 1 && issue.input === undefined)
  );
}

/** Numbers, dates and truth values are the usual way in which text goes wrong in YAML. */
function quotesMend(path: Path, { place }: Context): string | undefined {
  const typed = place.source.typed(path);
  return typed === undefined ? undefined : `put it in quotes: ${quoted(typed)}`;
}

/** A copy without the values that issues name. A list goes as a whole, so that the others keep their places. */
function withoutFaults(value: unknown, issues: readonly Issue[]): unknown {
  const copy = structuredClone(value);
  for (const issue of issues) {
    const firstIndex = issue.path.findIndex((step) => typeof step === "number");
    const path = firstIndex < 0 ? issue.path : issue.path.slice(0, firstIndex);
    const faulty =
      issue.code === "unrecognized_keys" && firstIndex < 0 ? issue.keys.map((key) => [...path, key]) : [path];
    for (const each of faulty) remove(copy, each);
  }
  return copy;
}

function remove(value: unknown, path: Path): void {
  const [step, ...rest] = path;
  if (typeof value !== "object" || value === null || step === undefined || !Object.hasOwn(value, step)) return;
  if (rest.length > 0) remove(Reflect.get(value, step), rest);
  else Reflect.deleteProperty(value, step);
}
