import type { webApi } from "@slack/bolt";
import * as z from "zod";
import { type Clock, delay, type InboundSender, type Logger } from "../../src/index.js";

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

const GOOD_FOR_MS = 5 * 60_000;
/** After a failure others are not made to wait as well. */
const FAILED_FOR_MS = 30_000;
/** What waits for a name has to be acknowledged within three seconds. */
const WAIT_MS = 1_000;
const MOST_KNOWN = 10_000;

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

interface Known {
  readonly user: SlackUser | undefined;
  readonly until: number;
}

export function createDirectory({ reads, homeTeam, clock, logger }: DirectoryOptions): Directory {
  const known = new Map<string, Known>();
  const asking = new Map<string, Promise<SlackUser | undefined>>();

  async function ask(id: string): Promise<SlackUser | undefined> {
    const before = known.get(id)?.user;
    try {
      const user = userOf(usersInfo.parse(await reads.users.info({ user: id })).user, homeTeam);
      remember(id, { user, until: clock.monotonic() + GOOD_FOR_MS });
      return user;
    } catch (error) {
      logger.warn({ user: id, error }, "could not look a user up in Slack; the id stands for the name");
      remember(id, { user: before, until: clock.monotonic() + FAILED_FOR_MS });
      return before;
    } finally {
      asking.delete(id);
    }
  }

  function remember(id: string, entry: Known): void {
    known.delete(id);
    known.set(id, entry);
    const oldest = known.keys().next().value;
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  }

  async function find(id: string): Promise<SlackUser | undefined> {
    const entry = known.get(id);
    if (entry && clock.monotonic() < entry.until) return entry.user;
    const answer = asking.get(id) ?? ask(id);
    asking.set(id, answer);
    const enough = new AbortController();
    const late = delay(clock, WAIT_MS, enough.signal).then(
      () => entry?.user,
      () => undefined,
    );
    try {
      return await Promise.race([answer, late]);
    } finally {
      enough.abort();
    }
  }

  return {
    find,
    async person(id, teamId) {
      const user = await find(id);
      const isGuest = user ? user.isStranger : teamId !== undefined && teamId !== homeTeam;
      return {
        kind: "person",
        id,
        name: user?.name ?? id,
        isAdmin: !isGuest && (user?.isAdmin ?? false),
        ...(isGuest ? { isGuest } : {}),
      };
    },
  };
}

function userOf(user: z.infer<typeof usersInfo>["user"], homeTeam: string): SlackUser {
  const names = [user.profile?.display_name, user.profile?.real_name, user.real_name, user.name];
  return {
    name: names.find((name) => name !== undefined && name !== "") ?? "",
    teamId: user.team_id,
    isAdmin: user.is_admin || user.is_owner || user.is_primary_owner,
    isStranger: user.is_stranger || (user.team_id !== undefined && user.team_id !== homeTeam),
  };
}
