import { resolve } from "node:path";
import type { ConfigSources } from "../config/load.js";
import { packageDir } from "../package.js";
import type { Io } from "./terminal.js";

/** Flags that say where things are and override the environment and the file. */
export interface PlaceFlags {
  readonly config?: string;
  readonly data?: string;
  readonly port?: string;
}

/** What the configuration is read from, given these flags. */
export function configSources({ config, data, port }: PlaceFlags, { env, cwd }: Io): ConfigSources {
  return {
    ...(config === undefined ? {} : { file: config }),
    env,
    cwd,
    flags: { ...(data === undefined ? {} : { data }), ...(port === undefined ? {} : { port }) },
    packageDir,
  };
}

/** The data folder alone: it stands in no file, so that a service can be found while its configuration is being mended. */
export function dataDirOf({ data }: PlaceFlags, { env, cwd }: Io): string {
  return resolve(cwd, data ?? (env.TROUPE_DATA_DIR?.trim() || "data"));
}
