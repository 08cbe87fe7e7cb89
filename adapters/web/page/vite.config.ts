import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Builds the web room's page. Everything it needs is in the bundle: the page's policy allows neither
 * inline scripts or styles nor anything from elsewhere, so nothing is inlined as a data address either.
 */
export default defineConfig({
  root: here("."),
  base: "./",
  build: {
    outDir: here("../../../dist/adapters/web/page"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    target: ["chrome111", "firefox115", "safari16.4"],
    reportCompressedSize: true,
  },
});
