import type { Post, PostBody } from "../../src/index.js";
import { remember } from "./bounded-map.js";

/** The key of one part of a post. */
export function keyOf({ session, id, part }: Pick<Post, "session" | "id" | "part">): string {
  return `${session} ${part} ${id}`;
}

const MOST_RECENT = 8;

/** Cuts texts into parts. Remembers the last few long ones: such a text is asked for again with each of its parts. */
export function createTextSplitter(cut: (text: string) => readonly string[]): (text: string) => readonly PostBody[] {
  const recent = new Map<string, readonly PostBody[]>();
  return (text) => {
    const parts = recent.get(text) ?? cut(text).map((part) => ({ kind: "text" as const, text: part }));
    if (parts.length > 1) remember(recent, text, parts, MOST_RECENT);
    return parts;
  };
}
