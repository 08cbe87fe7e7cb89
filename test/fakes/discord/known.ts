/** What was found; throws when there is no such thing, as that is the test's mistake. */
export function known<T>(found: T | undefined, what: string, asked: string): T {
  if (found === undefined) throw new Error(`the fake Discord has no ${what} "${asked}"`);
  return found;
}
