import { type ConfigSources, loadConfig } from "./load.js";
import type { LoadedConfig } from "./loaded.js";
import { type ConfigProblem, InvalidConfigError, isError } from "./problem.js";

/** What `troupe check` found. */
export interface CheckReport {
  /** Whether the service would start and every persona could answer. */
  readonly ok: boolean;
  /** Errors and warnings in file order. */
  readonly problems: readonly ConfigProblem[];
  /** Absent when there are errors in the configuration itself. */
  readonly config?: LoadedConfig;
}

/**
 * Checks the configuration, the personas and the environment, and connects to nothing. Stricter than a start: a model without
 * its key is an error, since its persona could only fail. Never throws for what it checks.
 */
export async function checkProject(sources: ConfigSources): Promise<CheckReport> {
  try {
    const config = await loadConfig({ ...sources, strict: true });
    const problems = [...config.warnings, ...missingToken(config)];
    return { ok: !problems.some(isError), problems, config };
  } catch (error) {
    if (!(error instanceof InvalidConfigError)) throw error;
    return { ok: false, problems: error.problems };
  }
}

function missingToken({ web, adminToken }: LoadedConfig): readonly ConfigProblem[] {
  const isOpen = !/^(localhost|127(\.\d+){3}|::1)$/i.test(web.host);
  if (!isOpen || adminToken !== undefined) return [];
  const message = `must be set to listen on ${web.host}, which other machines can reach`;
  const mend = "set it to a long random text, or listen on 127.0.0.1";
  return [{ file: "environment", key: "TROUPE_ADMIN_TOKEN", message, mend, severity: "error" }];
}
