import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Access } from "../ports/http-mount.js";

/** The two keys of a running service. Held in memory; only `readToken` is ever written down, in `service.json`. */
export interface Keys {
  /** Lets its holder act as the person. */
  readonly person: string;
  /** Lets its holder read. */
  readonly readToken: string;
  /** The person's key is the operator's own TROUPE_ADMIN_TOKEN and not one made at this start. */
  readonly adminTokenSet: boolean;
  /** What a presented key opens; `undefined`: nothing. Takes the same time for every wrong key. */
  accessOf(presented: string): Access | undefined;
}

/** The keys for this start: the admin token (an empty one counts as none) or 256 random bits, and a new read-only token. */
export function createKeys(adminToken?: string): Keys {
  const person = adminToken || newKey();
  const readToken = newKey();
  const personDigest = digest(person);
  const readDigest = digest(readToken);
  return {
    person,
    readToken,
    adminTokenSet: person === adminToken,
    accessOf(presented) {
      const given = digest(presented);
      const isPerson = timingSafeEqual(given, personDigest);
      const isRead = timingSafeEqual(given, readDigest);
      if (isPerson) return "person";
      return isRead ? "read" : undefined;
    },
  };
}

function newKey(): string {
  return randomBytes(32).toString("base64url");
}

/** Digests have one length whatever was presented, so that a comparison tells nothing about the key's. */
function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
