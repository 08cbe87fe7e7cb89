/** Variables that a program of somebody else's may have: where to find things, and how to write for people. Never a secret. */
const SHARED = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"];

/**
 * The environment of a child process: an allow-list, so that no token, key or address of ours gets there because
 * nobody thought of it.
 */
export function childEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const child: Record<string, string> = {};
  for (const name of SHARED) {
    const value = env[name];
    if (value !== undefined) child[name] = value;
  }
  return child;
}
