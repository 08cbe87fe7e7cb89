import type { HttpHandler, HttpMount } from "../ports/http-mount.js";

/** A mounted path. */
export interface Mounted {
  readonly handler: HttpHandler;
  readonly open: boolean;
}

/** The mounted paths, looked up anew for every request: adapters may mount while the server runs. */
export interface Mounts extends HttpMount {
  /** The longest mounted path at or above `path`. */
  find(path: string): Mounted | undefined;
}

/** Mounted paths, none yet. Mounting throws a `TypeError` for a path that does not begin with `/`. */
export function createMounts(): Mounts {
  const mounted = new Map<string, Mounted>();
  return {
    mount(path, handler, options = {}) {
      if (!path.startsWith("/")) throw new TypeError(`expected a path from /, got ${path}`);
      mounted.set(path, { handler, open: options.open ?? false });
    },
    find(path) {
      const prefixes = [...mounted.keys()].filter((prefix) => covers(prefix, path));
      const longest = prefixes.sort((a, b) => b.length - a.length)[0];
      return longest === undefined ? undefined : mounted.get(longest);
    },
  };
}

function covers(prefix: string, path: string): boolean {
  return path === prefix || (prefix !== "/" && path.startsWith(`${prefix}/`));
}
