import type { Args } from "../args.js";
import { Refusal } from "../wire.js";

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  readonly metadata: { readonly next_cursor: string };
}

/** The page that `cursor` and `limit` ask for: `standard` without a limit, never more than `most`. */
export function page<T>(all: readonly T[], args: Args, { standard = 100, most = 1_000 } = {}): Page<T> {
  const start = startOf(args.text("cursor"));
  const limit = args.count("limit") || standard;
  if (limit > 1_000) throw new Refusal("invalid_limit");
  const end = start + Math.min(limit, most);
  return {
    items: all.slice(start, end),
    hasMore: end < all.length,
    metadata: { next_cursor: end < all.length ? Buffer.from(`next:${end}`).toString("base64") : "" },
  };
}

function startOf(cursor: string | undefined): number {
  if (!cursor) return 0;
  const match = /^next:(\d+)$/.exec(Buffer.from(cursor, "base64").toString());
  if (!match) throw new Refusal("invalid_cursor");
  return Number(match[1]);
}
