import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the installed package: the source runs one level below it, the built program two. */
export const packageDir: string = findUp(import.meta.dirname, "package.json");

/** The package's version. */
export function packageVersion(): string {
  // Our own file, written by us.
  const { version } = JSON.parse(readFileSync(join(packageDir, "package.json"), "utf8")) as {
    readonly version: string;
  };
  return version;
}

function findUp(from: string, name: string): string {
  const above = dirname(from);
  return existsSync(join(from, name)) || above === from ? from : findUp(above, name);
}
