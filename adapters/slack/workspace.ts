/** The ids by which posts of one bot user are known again. Not every event carries all of them. */
export interface BotIds {
  /** What its token is called in settings and messages, as `SLACK_BOT_TOKEN`; never the token itself. */
  readonly tokenName: string;
  readonly botId: string;
  readonly userId: string;
  /** Unknown when the token may not ask (`users:read` is missing). */
  readonly appId: string | undefined;
}

/** The traces that an author leaves in an event. Any of them may be missing. */
export interface AuthorIds {
  readonly user?: string | undefined;
  readonly botId?: string | undefined;
  readonly appId?: string | undefined;
}

/** The one workspace that the tokens are for, as `preflight` found it. */
export interface Workspace {
  readonly teamId: string;
  /** Ends with a slash: `https://acme.slack.com/`. */
  readonly url: string;
  readonly appId: string | undefined;
  readonly main: BotIds;
  /** By persona handle: personas with a bot user of their own. */
  readonly personas: ReadonlyMap<string, BotIds>;
  /** What the main bot token has been granted. */
  readonly scopes: ReadonlySet<string>;
  /** Nobody said what it has been granted, so all that is needed is assumed. */
  readonly areScopesAssumed?: true;
  /** Whether something was posted by us, whichever of our tokens posted it. */
  isOwn(author: AuthorIds): boolean;
  /** The persona, or the app itself, whose bot user this is; `undefined`: somebody else. */
  ownerOf(userId: string): { readonly persona: string | undefined } | undefined;
}

/** What `preflight` learns, before it is put together. */
export type WorkspaceFacts = Omit<Workspace, "isOwn" | "ownerOf">;

/** Puts the workspace together. */
export function createWorkspace(facts: WorkspaceFacts): Workspace {
  const bots = [facts.main, ...facts.personas.values()];
  const botIds = new Set(bots.map(({ botId }) => botId));
  const appIds = new Set(bots.flatMap(({ appId }) => appId ?? []));
  const owners = new Map<string, { readonly persona: string | undefined }>([
    ...[...facts.personas].map(([persona, { userId }]) => [userId, { persona }] as const),
    [facts.main.userId, { persona: undefined }],
  ]);
  return {
    ...facts,
    isOwn: ({ user, botId, appId }) =>
      (user !== undefined && owners.has(user)) ||
      (botId !== undefined && botIds.has(botId)) ||
      (appId !== undefined && appIds.has(appId)),
    ownerOf: (userId) => owners.get(userId),
  };
}
