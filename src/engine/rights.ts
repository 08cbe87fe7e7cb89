import { platformOf, type SessionId } from "../domain/ids.js";
import type { InboundSender } from "../ports/platform.js";
import type { EngineConfig } from "./config.js";

/** What somebody is told who may not (behaviour 0.15). */
export const RESUME_REFUSED = "agent_pair.resume_refused: only people with the right here can resume, pause or drop.";

/**
 * Whether somebody may resume, pause or drop (behaviour 0.13): people of the home workspace or server, or admins only, by
 * configuration. Bots never may.
 */
export function mayResume(config: EngineConfig, session: SessionId, from: InboundSender): boolean {
  if (from.kind !== "person") return false;
  return config.resume === "admins" ? isAdmin(config, session, from) : from.isGuest !== true;
}

/**
 * Whether somebody may change rooms: listed in `admins`, or, where nobody is listed for the platform, an admin by the
 * platform's own word. Bots never are.
 */
export function isAdmin(config: EngineConfig, session: SessionId, from: InboundSender): boolean {
  if (from.kind !== "person") return false;
  const listed = config.admins[platformOf(session)] ?? [];
  return listed.length > 0 ? listed.includes(from.id) : from.isAdmin;
}
