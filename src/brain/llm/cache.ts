/**
 * A breakpoint of the prompt cache, up to which a request repeats earlier ones. Only Anthropic needs it said; the others skip it. It
 * takes four at most: last tool, persona, newest message of the log, and the moving one of the whole call.
 */
export const CACHE_MARK = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;
