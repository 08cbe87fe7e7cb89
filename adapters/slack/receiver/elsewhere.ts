import * as z from "zod";

const teamEvent = z.object({
  type: z.literal("event_callback"),
  team_id: z.string().optional().catch(undefined),
  authorizations: z
    .array(z.object({ team_id: z.string().nullish(), is_enterprise_install: z.boolean().nullish() }))
    .default([])
    .catch([]),
  event: z.object({ type: z.string() }),
});

/** These are about an installation, and bear no authorizations. */
const LIFE = new Set(["app_uninstalled", "tokens_revoked"]);

/**
 * Whether an event is for the app as another workspace has installed it. In shared channels events bear the team of their author, so
 * that the authorizations count.
 */
export function isElsewhere(body: unknown, homeTeam: string): boolean {
  const { data } = teamEvent.safeParse(body);
  if (data === undefined) return false;
  const { authorizations, event, team_id: team } = data;
  if (authorizations.length > 0)
    return authorizations.every(
      ({ team_id: id, is_enterprise_install: isWide }) =>
        isWide !== true && id?.startsWith("T") === true && id !== homeTeam,
    );
  return LIFE.has(event.type) && team?.startsWith("T") === true && team !== homeTeam;
}
