import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "yaml";
import type { ConfigProblem } from "./problem.js";

/** A place in a file, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Path of a value: keys and indexes from the root. */
export type Path = readonly PropertyKey[];

/** A parsed piece of YAML that can tell where each value was written. */
export interface YamlSource {
  /** The plain value; `undefined` when the text is empty or cannot be read. Keys without a value are left out. */
  readonly value: unknown;
  /** Syntax errors and warnings. */
  readonly problems: readonly ConfigProblem[];
  /** Where the value at the path stands; the nearest enclosing value if there is none. */
  valueAt(path: Path): Position;
  /** Where the last key of the path stands. */
  keyAt(path: Path): Position;
  /** A scalar as it was typed, before YAML gave it a type. */
  typed(path: Path): string | undefined;
}

/** Most nodes that aliases may multiply a document into, relative to its own: stops "billion laughs". */
const MAX_ALIASES = 100;

const MENDS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "indent with spaces",
  DUPLICATE_KEY: "keep one of them",
  MULTIPLE_DOCS: "keep one document: remove the second ---",
};
const GENERAL_MEND = "check indentation, quotes and brackets near here";

/** Parses YAML. Never throws: what is wrong is in `problems`. `lineOffset`: lines of the file before the text. */
export function parseYaml(text: string, file: string, lineOffset = 0): YamlSource {
  const counter = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
    return readDocument({ document, counter, text, file, lineOffset });
  } catch {
    // The parser is recursive: only nesting of thousands of levels gets here.
    const place = { file, line: lineOffset + 1, column: 1, severity: "error" } as const;
    return brokenSource({ ...place, message: "is nested too deeply", mend: "close the brackets that are open" });
  }
}

interface Parsed {
  readonly document: Document.Parsed;
  readonly counter: LineCounter;
  readonly text: string;
  readonly file: string;
  readonly lineOffset: number;
}

function readDocument(parsed: Parsed): YamlSource {
  const { document, text, file } = parsed;
  const at = (offset: number) => positionOf(parsed, offset);
  const syntax = [...document.errors, ...document.warnings].map((error): ConfigProblem => {
    const key =
      error.code === "DUPLICATE_KEY" ? /^[\w-]+/.exec(text.slice(error.pos[0], error.pos[0] + 80))?.[0] : undefined;
    return {
      file,
      ...at(error.pos[0]),
      ...(key === undefined ? {} : { key }),
      message: error.code === "DUPLICATE_KEY" ? "the key is given twice" : lowerFirst(error.message),
      mend: MENDS[error.code] ?? GENERAL_MEND,
      severity: error.name === "YAMLWarning" ? "warning" : "error",
    };
  });
  const readable = document.errors.every((error) => error.code === "DUPLICATE_KEY");
  const { value, problem } = readable ? plainValue(parsed) : {};
  return {
    value,
    problems: problem === undefined ? syntax : [...syntax, problem],
    valueAt: (path) => at(startOf(findNode(document, path).node) ?? 0),
    keyAt: (path) => at(findNode(document, path).keyStart ?? 0),
    typed: (path) => {
      const { node, depth } = findNode(document, path);
      return depth === path.length && isScalar(node) ? node.source : undefined;
    },
  };
}

function plainValue(parsed: Parsed): { value?: unknown; problem?: ConfigProblem } {
  const { document, file } = parsed;
  try {
    return { value: withoutNulls(document.toJS({ maxAliasCount: MAX_ALIASES })) };
  } catch {
    const dangling = danglingAlias(document);
    const place = { file, ...positionOf(parsed, startOf(dangling) ?? 0), severity: "error" } as const;
    return dangling === undefined
      ? { problem: { ...place, message: "has too many aliases", mend: "write the values out" } }
      : { problem: { ...place, message: "there is no anchor for this alias", mend: "put it in quotes if it is text" } };
  }
}

function danglingAlias(document: Document.Parsed): Node | undefined {
  let found: Node | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      found = alias;
      return visit.BREAK;
    },
  });
  return found;
}

/** `key:` without a value means the default, as if the key were not there. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null || value.constructor !== Object) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, withoutNulls(item)]),
  );
}

interface Found {
  readonly node: unknown;
  readonly keyStart?: number;
  /** How many steps of the path exist. */
  readonly depth: number;
}

function findNode(document: Document.Parsed, path: Path): Found {
  let found: Found = { node: document.contents, depth: 0 };
  for (const step of path) {
    const next = childOf(document, found, step);
    if (next === undefined) break;
    found = next;
  }
  return found;
}

function childOf(document: Document.Parsed, parent: Found, step: PropertyKey): Found | undefined {
  const node = isAlias(parent.node) ? parent.node.resolve(document) : parent.node;
  const depth = parent.depth + 1;
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return item === undefined ? undefined : { node: item, depth, ...start(item) };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step));
  if (pair === undefined) return undefined;
  const hasValue = !isScalar(pair.value) || pair.value.value !== null;
  return { node: hasValue ? pair.value : pair.key, depth, ...start(pair.key) };
}

function start(node: unknown): { keyStart?: number } {
  const offset = startOf(node);
  return offset === undefined ? {} : { keyStart: offset };
}

function startOf(node: unknown): number | undefined {
  // The node classes all carry `range`; a value made by hand would not.
  return (node as Node | null | undefined)?.range?.[0];
}

function positionOf({ counter, lineOffset }: Parsed, offset: number): Position {
  const { line, col } = counter.linePos(offset);
  return { line: Math.max(line, 1) + lineOffset, column: Math.max(col, 1) };
}

function brokenSource(problem: ConfigProblem): YamlSource {
  const position = { line: problem.line ?? 1, column: problem.column ?? 1 };
  return {
    value: undefined,
    problems: [problem],
    valueAt: () => position,
    keyAt: () => position,
    typed: () => undefined,
  };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
