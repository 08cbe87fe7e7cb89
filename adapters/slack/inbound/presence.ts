import type { webApi } from "@slack/bolt";
import * as z from "zod";
import { slackError } from "../tokens.js";

const info = z.object({ channel: z.object({ is_member: z.boolean().optional(), is_im: z.boolean().optional() }) });

/** Whether the app is surely not in a channel, so that nothing which it posts there is seen. Never rejects. */
export function createAwayCheck(reads: webApi.WebClient): (channel: string) => Promise<boolean> {
  return async (channel) => {
    try {
      const found = info.safeParse(await reads.conversations.info({ channel })).data?.channel;
      return found?.is_member === false && found.is_im !== true;
    } catch (error) {
      return slackError(error) === "channel_not_found";
    }
  };
}
