import type { Client } from "discord.js";
import { type MessagePlace, threadSession } from "../../src/index.js";
import { parsedUrl } from "../shared/download.js";
import { parentKnown, roomOfChannel } from "./whereabouts.js";

/** `/channels/GUILD/CHANNEL/MESSAGE`; of a direct conversation the server is `@me`. */
const PATH = /^\/channels\/(@me|\d{17,20})\/(\d{17,20})\/(\d{17,20})\/?$/;
const HOST = /^(?:(?:ptb|canary)\.)?discord\.com$/;

/** The message that a link names, as *Copy Message Link* gives it. A thread that is not known passes for a channel. */
export function locateLink(client: Client, link: string): MessagePlace | undefined {
  const url = parsedUrl(link);
  if (url === undefined || url.protocol !== "https:" || !HOST.test(url.hostname)) return undefined;
  const [, guild, channel, id] = PATH.exec(url.pathname) ?? [];
  if (guild === undefined || channel === undefined || id === undefined) return undefined;
  if (guild === "@me") return { session: roomOfChannel(undefined, channel), id };
  const parent = parentKnown(client, channel) ?? null;
  const room = roomOfChannel(guild, parent ?? channel);
  return { session: parent === null ? room : threadSession(room, channel), id };
}
