import type { Problems } from "./problems.js";

/** Not anywhere in a name, in any case. */
const NOT_WITHIN = ["clyde", "discord", "```", "@", "#", ":"];
/** Not as the whole name. */
const NOT_WHOLE = ["everyone", "here"];

/** Finds what Discord refuses about the name of a webhook or of its post. */
export function checkName(path: string, name: string, problems: Problems): void {
  problems.length(path, name.trim(), 80, 1);
  const lower = name.trim().toLowerCase();
  const within = NOT_WITHIN.find((it) => lower.includes(it));
  if (within !== undefined) {
    problems.add(path, "USERNAME_INVALID_CONTAINS", `Username cannot contain "${within}"`);
  }
  if (NOT_WHOLE.includes(lower)) problems.add(path, "USERNAME_INVALID", `Username cannot be "${lower}"`);
}

/** The picture of a webhook's post: an address that Discord can fetch. */
export function checkAvatar(path: string, url: string, problems: Problems): void {
  problems.length(path, url, 2048);
  if (!/^https?:\/\/[^\s/]+/.test(url)) {
    problems.add(path, "URL_TYPE_INVALID_SCHEME", `Scheme "${url.split(":")[0]}" must be one of ('http', 'https').`);
  }
}
