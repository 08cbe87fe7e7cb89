import { configDefaults, defineConfig } from "vitest/config";

/** Set by `scripts/run-tests.mjs --long`: the campaigns that take too long for `npm test` run as well. */
const isLong = process.env.TROUPE_LONG === "1";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    exclude: [...configDefaults.exclude, ...(isLong ? [] : ["test/**/*.long.test.ts"])],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: "100%",
    coverage: {
      provider: "v8",
      include: ["src/domain/**", "src/engine/**"],
      reporter: ["text-summary", "html"],
      thresholds: {
        "src/domain/**": { branches: 90 },
        "src/engine/**": { branches: 90 },
      },
    },
  },
});
