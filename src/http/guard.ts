import type { Clock } from "../ports/clock.js";
import { type Access, errorResponse, methodNotAllowed } from "../ports/http-mount.js";
import type { Logger } from "../ports/logger.js";
import { createFailedKeys } from "./failed-keys.js";
import { type HostRules, isOurHost, isOurOrigin } from "./hosts.js";
import type { Keys } from "./keys.js";

/** The two ends of the connection that a request came by, as the socket knows them. */
export interface Peers {
  readonly local: string | undefined;
  readonly remote: string | undefined;
}

/** A request and its address, which is read once. */
export interface Asked {
  readonly request: Request;
  readonly url: URL;
}

/** Decides who may ask. Each check answers with the refusal, or lets pass. */
export interface Guard {
  /** For every request: a host and an origin that are ours, and a method that we have. */
  refuse(asked: Asked, rules: HostRules, peers: Peers): Response | undefined;
  /** For paths that are not open: what the key opens, for this method. */
  admit(request: Request, peers: Peers): Access | Response;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);

export function createGuard(keys: Keys, clock: Clock, logger: Logger): Guard {
  const failed = createFailedKeys(clock);
  const wrongKey = (address: string): Response => {
    const tooMany = failed.note(address);
    if (!tooMany)
      return unauthorized("This key is not valid here: open the link that the service printed at its start.");
    const { seconds, isFirst } = tooMany;
    if (isFirst) logger.warn({ address }, "many requests with a wrong key");
    return errorResponse(429, "too_many_requests", `Too many wrong keys: try again in ${seconds} s.`, {
      "retry-after": String(seconds),
    });
  };
  return {
    refuse({ request, url }, rules, { local }) {
      // The header and the request line's own host: the two differ when the line holds a whole URL.
      const named = [request.headers.get("host") ?? "", url.host];
      if (!named.every((host) => isOurHost(host, rules, local))) {
        return errorResponse(
          403,
          "forbidden",
          "This host name is not ours: use the printed link, or set web.public_url.",
        );
      }
      const origin = request.headers.get("origin");
      if (origin !== null && !isOurOrigin(origin, rules, local)) {
        return errorResponse(403, "forbidden", "This origin is not ours: use the printed link, or set web.public_url.");
      }
      return METHODS.has(request.method) ? undefined : methodNotAllowed([...METHODS]);
    },
    admit(request, { remote }) {
      const key = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
      if (key === undefined) return unauthorized("This path needs a key: Authorization: Bearer KEY.");
      const access = keys.accessOf(key);
      if (access === undefined) return wrongKey(remote ?? "");
      if (access === "read" && request.method === "POST") {
        return errorResponse(403, "forbidden", "This key may only read: acting takes the person's key.");
      }
      return access;
    },
  };
}

function unauthorized(message: string): Response {
  return errorResponse(401, "unauthorized", message, { "www-authenticate": "Bearer" });
}
