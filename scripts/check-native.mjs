// The embedded store needs better-sqlite3's native file. It is an optional dependency, so that an installation in which
// it can be neither downloaded nor compiled ends here with one line instead of a compiler's log.
import { pathToFileURL } from "node:url";

const MEND =
  "troupe: better-sqlite3 has no native file for this Node: neither a prebuilt one nor a compiler was at hand. " +
  "Install python3, make and g++ (Debian: apt-get install -y python3 make g++; macOS: xcode-select --install), then run npm ci again.";

/**
 * Kept out of the garbage collector's reach: on Node 24 the library's destructor can end the process.
 * @type {unknown[]}
 */
const kept = [];

/** The line that names the mend when the embedded store's native file cannot be loaded; `undefined` when all is well. */
export const missingNative = async () => {
  try {
    const { default: Database } = await import("better-sqlite3");
    const database = new Database(":memory:");
    kept.push(database);
    database.close();
    return undefined;
  } catch {
    return MEND;
  }
};

/** An installation that was asked not to have it (`--omit=optional`, only the lock file) is no failed one. */
const isWanted = () =>
  process.env.npm_config_package_lock_only !== "true" &&
  !(process.env.npm_config_omit ?? "").split(/\s+/).includes("optional");

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href && isWanted()) {
  const problem = await missingNative();
  if (problem !== undefined) {
    console.error(problem);
    process.exitCode = 1;
  }
}
