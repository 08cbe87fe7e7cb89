import { type MessagePlace, threadSession } from "../../src/index.js";
import { parsedUrl } from "../shared/download.js";
import { roomOfChannel } from "./inbound/inbound.js";
import type { Workspace } from "./workspace.js";

/** `/archives/CHANNEL/p1700000000000100`: the last six digits are behind the point. */
const PATH = /^\/archives\/([A-Z0-9]+)\/p(\d{10,})(\d{6})\/?$/;

/** The message that a link of this workspace names, as *Copy link* gives it. A reply's link names its thread besides. */
export function locateLink(link: string, workspace: Workspace): MessagePlace | undefined {
  const url = parsedUrl(link);
  if (url === undefined || url.hostname !== parsedUrl(workspace.url)?.hostname) return undefined;
  const [, channel, seconds, rest] = PATH.exec(url.pathname) ?? [];
  if (channel === undefined) return undefined;
  const id = `${seconds}.${rest}`;
  const room = roomOfChannel(workspace.teamId, channel);
  const thread = url.searchParams.get("thread_ts");
  const isReply = thread !== null && thread !== id && /^\d+\.\d+$/.test(thread);
  return { session: isReply ? threadSession(room, thread) : room, id };
}
