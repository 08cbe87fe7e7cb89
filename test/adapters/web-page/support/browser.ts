import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";

function findChromium(): string | undefined {
  const places = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "chromium"));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The system's Chromium; without one the browser suite is skipped (`apt-get install -y chromium` brings it). */
export const CHROMIUM = findChromium();

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A browser of its own, with nothing in it from before. `close` also removes its folder. */
export async function openBrowser(): Promise<{ readonly context: BrowserContext; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "troupe-browser-"));
  const context = await chromium.launchPersistentContext(folder, {
    ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
    args: ARGUMENTS,
    viewport: { width: 1280, height: 800 },
    // Times and dates read the same wherever the suite runs.
    locale: "en-GB",
    timezoneId: "UTC",
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
