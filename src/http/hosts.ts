import { isIP } from "node:net";

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"] as const;

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  const address = plainAddress(host);
  return address === "localhost" || address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}

/** An address without brackets, and IPv4 without its IPv6 clothes. */
function plainAddress(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/^::ffff:(?=\d+\.)/, "");
}

/** An address as it stands in a URL. */
export function urlHost(host: string): string {
  const address = plainAddress(host);
  return isIP(address) === 6 ? `[${address}]` : address;
}

/** Whether the server listens on every address of the machine. */
export function isWildcard(host: string): boolean {
  return ["0.0.0.0", "::", ""].includes(plainAddress(host));
}

/** What the server answers to, and what it cannot know before it listens. */
export interface HostRules {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: URL;
}

/**
 * Whether a `Host` header is ours: a loopback name or the bound address with our port, or the public address. Anything
 * else may be a foreign name that was made to point here. When every address is bound, the one that this connection
 * reached (`localAddress`) is the bound one: an address, unlike a name, cannot be made to point elsewhere.
 */
export function isOurHost(given: string, rules: HostRules, localAddress: string | undefined): boolean {
  const host = given.toLowerCase();
  if (host === rules.publicUrl?.host) return true;
  const bound = isWildcard(rules.host) ? localAddress : rules.host;
  const names = [...LOOPBACK_NAMES, ...(bound ? [urlHost(bound)] : [])];
  return names.some((name) => host === `${name}:${rules.port}` || (rules.port === 80 && host === name));
}

/** Whether an `Origin` header is ours: the public address, or one of our hosts over plain HTTP. */
export function isOurOrigin(origin: string, rules: HostRules, localAddress: string | undefined): boolean {
  if (origin === rules.publicUrl?.origin) return true;
  return origin.startsWith("http://") && isOurHost(origin.slice("http://".length), rules, localAddress);
}
