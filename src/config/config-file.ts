import type { ConfigProblem } from "./problem.js";
import { readText } from "./read-text.js";
import { type ConfigFile, configSchema } from "./schema.js";
import { secretKeys } from "./secret-keys.js";
import { type Place, validate } from "./validate.js";
import { parseYaml } from "./yaml-source.js";

const MAX_CONFIG_BYTES = 256 * 1024;

/** A configuration file as read: its settings, where each was written, and what is wrong. */
export interface ReadConfig {
  /** With defaults in place, and without what cannot be used. */
  readonly settings: ConfigFile;
  readonly place: Place;
  readonly problems: readonly ConfigProblem[];
}

/** Reads `troupe.yaml`. `file`: its path as shown in problems. Never throws. */
export async function readConfigFile(path: string, file: string): Promise<ReadConfig> {
  const read = await readText(path, MAX_CONFIG_BYTES);
  if (!("fault" in read)) return parseConfig(read.text, file);
  const { fault: message, ...mend } = read;
  const { settings, place } = parseConfig("", file);
  return { settings, place, problems: [{ file, message, ...mend, severity: "error" }] };
}

/** Parses the text of `troupe.yaml`; an empty text gives the defaults. Never throws. */
export function parseConfig(text: string, file: string): ReadConfig {
  const source = parseYaml(text, file);
  const place = { source, file };
  const value = source.value ?? {};
  const secrets = secretKeys(value, place);
  const checked = validate(configSchema, value, place);
  // A secret's key is unknown as well, but one word on it is enough.
  const others = checked.problems.filter(({ key }) => !secrets.some((secret) => secret.key === key));
  return {
    settings: checked.value ?? checked.rest ?? configSchema.parse({}),
    place,
    problems: [...source.problems, ...secrets, ...others],
  };
}
