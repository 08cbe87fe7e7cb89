import { bare, forEachLine } from "./lines.js";
import { readLine, START } from "./read-line.js";

/** Whether a cut before this place goes through a link, a token, code in a line, or bold words and the like. */
export type IsWithinSpan = (at: number) => boolean;

/** Finds the spans of a Markdown text, in one pass. */
export function findSpans(text: string): IsWithinSpan {
  const depths = createDepths(text.length);
  forEachRun(text, (start, end) => {
    markSpans(text.slice(start, end), (from, to) => depths.add(start + from + 1, start + to));
  });
  return depths.sum();
}

/** Finds the code of a Markdown text, in lines and in blocks, likewise: answers whether there is code at a place. */
export function findCode(text: string): (at: number) => boolean {
  const depths = createDepths(text.length);
  let at = 0;
  forEachRun(text, (start, end) => {
    // What is between two runs of words is code, or nothing.
    depths.add(at, start);
    at = end;
    const run = text.slice(start, end);
    const codeEnd = codeEnds(run);
    for (const tick of run.matchAll(/(?<!`)`+/g)) {
      const to = codeEnd(tick.index, tick[0].length);
      if (to !== undefined) depths.add(start + tick.index, start + to);
    }
  });
  depths.add(at, text.length);
  return depths.sum();
}

/** Counts how many ranges go over each place; all ranges are there before anybody asks. */
function createDepths(length: number) {
  const changes = new Int32Array(length + 2);
  return {
    add(start: number, end: number): void {
      changes[start] = (changes[start] ?? 0) + 1;
      changes[end] = (changes[end] ?? 0) - 1;
    },
    sum(): (at: number) => boolean {
      let depth = 0;
      for (let at = 0; at < changes.length; at++) {
        depth += changes[at] ?? 0;
        changes[at] = depth;
      }
      return (at) => (changes[at] ?? 0) > 0;
    },
  };
}

type AddSpan = (start: number, end: number) => void;

/** Goes through what is read together: the lines of a paragraph, a heading, a row. */
function forEachRun(text: string, visit: (start: number, end: number) => void): void {
  let state = START;
  let [from, to] = [0, 0];
  forEachLine(text, (start, end) => {
    const { kind, after, isNew } = readLine(state, bare(text.slice(start, end)));
    state = after;
    if (kind !== "text" || isNew) {
      if (from < to) visit(from, to);
      from = start;
    }
    to = kind === "text" || kind === "heading" || kind === "row" ? end : from;
  });
  if (from < to) visit(from, to);
}

const MARK = /\\[\s\S]|`+|\*+|_+|~+|\|\||[[\]<>\n]/g;

/** Reads the marks of a run from left to right. What is opened and not closed is no span. */
function markSpans(run: string, add: AddSpan): void {
  if (!MARKED.test(run)) return;
  const code = codeEnds(run);
  const reader = createMarkReader(run, add);
  MARK.lastIndex = 0;
  for (let mark = MARK.exec(run); mark; mark = MARK.exec(run)) {
    const [text] = mark;
    const at = mark.index;
    const end = text.startsWith("`") ? code(at, text.length) : undefined;
    if (end !== undefined) {
      add(at, end);
      MARK.lastIndex = end;
    } else reader(text, at);
  }
}

const MARKED = /[`*_~|[<]/;

/** Code in a line ends with as many ticks as it begins with: where, for each run of ticks; found in one pass from the end. */
function codeEnds(run: string): (at: number, length: number) => number | undefined {
  const ends = new Map<number, number>();
  const next = new Map<number, number>();
  const ticks = [...run.matchAll(/`+/g)];
  for (const { 0: mark, index } of ticks.toReversed()) {
    const closing = next.get(mark.length);
    if (closing !== undefined) ends.set(index, closing + mark.length);
    next.set(mark.length, index);
  }
  return (at, length) => (run[at + length] === "`" ? undefined : ends.get(at));
}

function createMarkReader(run: string, add: AddSpan): (mark: string, at: number) => void {
  const open = new Map<string, number>();
  const brackets: number[] = [];
  const endOfAddress = createAddressEnds(run);
  let token = -1;
  return (mark, at) => {
    switch (mark[0]) {
      case "\n":
        token = -1;
        break;
      case "<":
        token = at;
        break;
      case ">":
        if (token !== -1) add(token, at + 1);
        token = -1;
        break;
      case "[":
        brackets.push(run[at - 1] === "!" ? at - 1 : at);
        break;
      case "]": {
        const start = brackets.pop();
        const end = endOfAddress(at + 1);
        if (start !== undefined && end !== undefined) add(start, end);
        break;
      }
      case "*":
      case "_":
      case "~":
      case "|":
        pair(mark, at);
    }
  };

  /** The same mark closes what it opened. */
  function pair(mark: string, at: number): void {
    const [before, after] = [run[at - 1] ?? " ", run[at + mark.length] ?? " "];
    const key = mark.slice(0, 3);
    const opener = open.get(key);
    if (opener !== undefined && before.trim() !== "" && !(mark[0] === "_" && WORD.test(after))) {
      add(opener, at + mark.length);
      open.delete(key);
    } else if (after.trim() !== "" && !(mark[0] === "_" && WORD.test(before))) open.set(key, at);
  }
}

const WORD = /[\p{L}\p{N}]/u;

/** Where the address ends that begins with a bracket at this place; asked for from left to right. */
function createAddressEnds(run: string): (at: number) => number | undefined {
  let closing = 0;
  let newline = 0;
  return (at) => {
    if (run[at] !== "(") return undefined;
    if (closing !== -1 && closing < at) closing = run.indexOf(")", at);
    if (newline !== -1 && newline < at) newline = run.indexOf("\n", at);
    if (closing === -1 || (newline !== -1 && newline < closing)) return undefined;
    // An address may have brackets of its own.
    return run[closing + 1] === ")" ? closing + 2 : closing + 1;
  };
}
