// Bundles the program with the packages that it needs, so that a start reads a dozen files instead of some thousand. What is
// loaded only when it is needed stays in files of its own.
import { chmodSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";

const root = resolve(import.meta.dirname, "..");

/**
 * Stay outside: native code, which looks for its file beside itself, and what discord.js would use were it installed.
 */
const OUTSIDE = ["better-sqlite3", "zlib-sync"];

/**
 * Writes every letter beyond ASCII as an escape. A text with a single other letter takes twice the memory and longer to
 * read, and one package carries tables full of them.
 * @type {import("vite").Plugin}
 */
const asciiOnly = {
  name: "ascii-only",
  renderChunk: (code) => ({ code: code.replace(/[\u0080-\uffff]/g, escapeOf), map: null }),
};

/** @param {string} unit */
const escapeOf = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Bundles `src/cli/main.ts` into the folder as `troupe.js`, unminified and with source maps: a stack trace names functions as the
 * sources do, and lines too under `node --enable-source-maps`.
 * @param {string} folder
 */
export const bundleProgram = async (folder) => {
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: "warn",
    plugins: [asciiOnly],
    ssr: { noExternal: true, external: OUTSIDE },
    build: {
      ssr: join(root, "src/cli/main.ts"),
      outDir: folder,
      emptyOutDir: true,
      target: "node20",
      minify: false,
      sourcemap: true,
      // discord.js evaluates a script among its own processes, of which we start none.
      rolldownOptions: {
        external: OUTSIDE,
        checks: { eval: false },
        output: { entryFileNames: "troupe.js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
  // `npx troupe` runs the file itself, and sets its mode only once.
  chmodSync(join(folder, "troupe.js"), 0o755);
};
