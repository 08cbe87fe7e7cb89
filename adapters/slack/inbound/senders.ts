import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Clock, InboundSender, Logger } from "../../../src/index.js";
import { createKnownAnswers } from "../../shared/known-answers.js";
import { orLate } from "../../shared/or-late.js";
import { shownName } from "../../shared/shown-name.js";

/** A user as Slack knows them. */
export interface SlackUser {
  readonly name: string;
  readonly teamId: string | undefined;
  readonly isAdmin: boolean;
  readonly isStranger: boolean;
}

/** Who people are, asked once and kept for a while. */
export interface Directory {
  /** `undefined` when Slack does not say, or not soon enough for what waits for it. Never rejects. */
  find(userId: string): Promise<SlackUser | undefined>;
  /** A person as the sender of something. When Slack says nothing: the id as the name, and no rights. */
  person(userId: string, teamId: string | undefined): Promise<InboundSender>;
}

interface DirectoryOptions {
  readonly reads: webApi.WebClient;
  readonly homeTeam: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What waits for a name has to be acknowledged within three seconds. */
const WAIT_MS = 1_000;
const MOST_KNOWN = 10_000;
/** Who is only named waits for nobody: beyond so many questions at once, ids stand for names. */
const MOST_ASKED = 50;

const text = z.string().optional().catch(undefined);
const flag = z.boolean().catch(false);

const usersInfo = z.object({
  user: z.object({
    team_id: text,
    name: text,
    real_name: text,
    is_admin: flag,
    is_owner: flag,
    is_primary_owner: flag,
    is_stranger: flag,
    profile: z.object({ display_name: text, real_name: text }).optional().catch(undefined),
  }),
});

export function createDirectory({ reads, homeTeam, clock, logger }: DirectoryOptions): Directory {
  const users = createKnownAnswers({ ask, onFailed, most: MOST_KNOWN, clock });

  async function ask(id: string): Promise<SlackUser> {
    return userOf(usersInfo.parse(await reads.users.info({ user: id })).user, homeTeam);
  }

  function onFailed(id: string, error: unknown): void {
    logger.warn({ user: id, error }, "could not look a user up in Slack; the id stands for the name");
  }

  async function find(id: string): Promise<SlackUser | undefined> {
    return users.asking < MOST_ASKED ? lookUp(id) : users.known(id);
  }

  function lookUp(id: string): Promise<SlackUser | undefined> {
    return orLate(users.find(id), WAIT_MS, clock, users.known(id));
  }

  return {
    find,
    async person(id, teamId) {
      const user = await lookUp(id);
      const team = user?.teamId ?? teamId;
      const isGuest = user?.isStranger === true || (team !== undefined && team !== homeTeam);
      return {
        kind: "person",
        id,
        name: user?.name || id,
        isAdmin: !isGuest && (user?.isAdmin ?? false),
        ...(isGuest ? { isGuest } : {}),
      };
    },
  };
}

function userOf(user: z.infer<typeof usersInfo>["user"], homeTeam: string): SlackUser {
  const names = [user.profile?.display_name, user.profile?.real_name, user.real_name, user.name];
  return {
    name: names.map(shownName).find((name) => name !== undefined) ?? "",
    teamId: user.team_id,
    isAdmin: user.is_admin || user.is_owner || user.is_primary_owner,
    isStranger: user.is_stranger || (user.team_id !== undefined && user.team_id !== homeTeam),
  };
}
