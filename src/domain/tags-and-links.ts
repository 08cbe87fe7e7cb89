import { isSpace, type Units, unitAt } from "./scan.js";

/** Parentheses inside each other that a link's destination may hold; bounds how often one stretch is read. */
const DEEPEST = 3;

const NEWLINE = 0x0a;
const DOUBLE = 0x22;
const SINGLE = 0x27;
const OPENING = 0x28;
const CLOSING = 0x29;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const BACKSLASH = 0x5c;

/** The place behind the `>` that ends a tag, or -1. In the value of an attribute it ends nothing. */
export function tagEnd(text: Units, from: number, end: number): number {
  let quote = 0;
  for (let at = from; at < end; at += 1) {
    const unit = unitAt(text, at);
    if (quote !== 0) {
      if (unit === quote) quote = 0;
    } else if (unit === GREATER) {
      return at + 1;
    } else if (unit === LESS) {
      return -1;
    } else if ((unit === DOUBLE || unit === SINGLE) && unitAt(text, at - 1) === EQUALS) {
      quote = unit;
    }
  }
  return -1;
}

/** The place behind the `)` that ends an inline link, from behind its `(`; -1 if this is no link. */
export function linkEnd(text: Units, from: number, end: number): number {
  const start = skipBreaks(text, from, end);
  const isBracketed = unitAt(text, start) === LESS;
  const destination = isBracketed ? bracketedEnd(text, start + 1, end) : bareEnd(text, start, end);
  if (destination === -1) return -1;
  const title = skipBreaks(text, destination, end);
  const behind = title === destination ? title : skipBreaks(text, titleEnd(text, title, end), end);
  return behind < end && unitAt(text, behind) === CLOSING ? behind + 1 : -1;
}

function bracketedEnd(text: Units, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    const unit = unitAt(text, at);
    if (unit === GREATER) return at + 1;
    if (unit === LESS || unit === NEWLINE) return -1;
    if (unit === BACKSLASH) at += 1;
  }
  return -1;
}

function bareEnd(text: Units, from: number, end: number): number {
  let depth = 0;
  for (let at = from; at < end && depth <= DEEPEST; at += 1) {
    const unit = unitAt(text, at);
    if (isBreak(unit)) return depth === 0 ? at : -1;
    if (unit === BACKSLASH) at += 1;
    else if (unit === OPENING) depth += 1;
    else if (unit === CLOSING) depth -= 1;
    if (depth < 0) return at;
  }
  return -1;
}

/** The place behind a link's title; `at` itself if none begins there. */
function titleEnd(text: Units, at: number, end: number): number {
  const open = unitAt(text, at);
  if (open !== DOUBLE && open !== SINGLE && open !== OPENING) return at;
  const close = open === OPENING ? CLOSING : open;
  for (let place = at + 1; place < end; place += 1) {
    const unit = unitAt(text, place);
    if (unit === close) return place + 1;
    if (unit === open) return at;
    if (unit === BACKSLASH) place += 1;
  }
  return at;
}

/** The first place from `at` on, at most `end`, without white space or a line end. */
function skipBreaks(text: Units, at: number, end: number): number {
  let place = at;
  while (place < end && isBreak(unitAt(text, place))) place += 1;
  return place;
}

function isBreak(unit: number): boolean {
  return unit <= 0x20 && (isSpace(unit) || unit === NEWLINE);
}
