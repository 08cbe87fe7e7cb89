import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { errorResponse, type HttpMount, methodNotAllowed } from "../../src/index.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

const NOT_BUILT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Troupe</title>' +
  "<p>The service runs, but the page of the web room is not built. Run <code>npm run build</code> and start again.</p></html>";

interface Asset {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly caching: string;
}

/**
 * Serves the built page, open to all. Its files are read once, here, and asked for by name: no path that a client
 * makes up ever reaches the file system.
 */
export function mountPage(mount: HttpMount, pageDir: string): void {
  const assets = readAssets(pageDir);
  const serve = (request: Request): Response => {
    if (request.method === "POST") return methodNotAllowed(["GET", "HEAD"]);
    const { pathname } = new URL(request.url);
    const asset = assets.get(pathname === "/" ? "/index.html" : pathname);
    if (asset) {
      return new Response(asset.body, { headers: { "content-type": asset.type, "cache-control": asset.caching } });
    }
    if (pathname !== "/") return errorResponse(404, "not_found", "The page has no such file.");
    return new Response(NOT_BUILT, { status: 503, headers: { "content-type": "text/html; charset=utf-8" } });
  };
  const tops = [...assets.keys()].map((path) => path.split("/", 2).join("/"));
  for (const path of new Set(["/", ...tops])) mount.mount(path, serve, { open: true });
}

function readAssets(pageDir: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  if (!existsSync(pageDir)) return assets;
  for (const name of readdirSync(pageDir, { recursive: true, encoding: "utf8" })) {
    const file = join(pageDir, name);
    if (!statSync(file).isFile()) continue;
    const path = `/${name.replaceAll(sep, "/")}`;
    assets.set(path, {
      body: readFileSync(file),
      type: TYPES[extname(name)] ?? "application/octet-stream",
      caching: cachingOf(path),
    });
  }
  return assets;
}

/** Names in `/assets/` carry a hash of their content and never change it; the page itself is always asked for anew. */
function cachingOf(path: string): string {
  if (path.startsWith("/assets/")) return "public, max-age=31536000, immutable";
  return path === "/index.html" ? "no-store" : "no-cache";
}
