import type { DiscordChannel, DiscordMessage, Pinged } from "./model.js";
import { Permission } from "./permissions.js";
import { isRecord, type Json, Refusal, strings } from "./wire.js";
import type { Workspace } from "./workspace.js";

export const NOBODY: Pinged = { users: [], roles: [], everyone: false };

/** Who speaks, and what is read of a text when the request does not say whom it may call. */
export interface MentionRules {
  /** `allowed_mentions` of the request; absent means the default. */
  readonly allowed: Json | undefined;
  /** A bot's own message reads all three; one of a webhook or an interaction only users. */
  readonly byDefault: readonly string[];
  /** Whose right it is to call everyone and roles that are not mentionable. */
  readonly speakerId: string | undefined;
  readonly repliedTo?: DiscordMessage | undefined;
}

/** Whom a text calls, as its `allowed_mentions` and the speaker's rights have it. Code is not read. */
export function mentionsIn(
  workspace: Workspace,
  channel: DiscordChannel,
  content: string,
  rules: MentionRules,
): Pinged {
  const text = content.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "");
  const ids = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map((found) => found[1] ?? ""))];
  const users = ids(/<@!?(\d{17,20})>/g).filter((id) => workspace.users.has(id));
  const roles = ids(/<@&(\d{17,20})>/g).filter((id) => workspace.guildOf(channel)?.roles.has(id));
  const mayAll = mayCallAll(workspace, channel, rules.speakerId);
  const isCallable = (id: string) => mayAll || workspace.guildOf(channel)?.roles.get(id)?.isMentionable === true;
  const parse = rules.allowed ? strings(rules.allowed.parse) : rules.byDefault;
  const named = (kind: string) => strings(rules.allowed?.[kind]);
  const repliedUser = repliedAuthor(rules);
  const called = users.filter((id) => parse.includes("users") || named("users").includes(id));
  return {
    users: [...new Set([...called, ...(repliedUser ? [repliedUser] : [])])],
    roles: roles.filter((id) => (parse.includes("roles") || named("roles").includes(id)) && isCallable(id)),
    everyone: mayAll && parse.includes("everyone") && /@(everyone|here)\b/.test(text),
  };
}

function repliedAuthor({ repliedTo, allowed }: MentionRules): string | undefined {
  if (!repliedTo || repliedTo.webhook) return undefined;
  return allowed === undefined || allowed.replied_user === true ? repliedTo.authorId : undefined;
}

/** A webhook that no app owns speaks with every right. */
function mayCallAll(workspace: Workspace, channel: DiscordChannel, speakerId: string | undefined): boolean {
  if (!workspace.guildOf(channel)) return false;
  if (speakerId === undefined) return true;
  return (workspace.permissionsIn(channel, speakerId) & Permission.mentionEveryone) !== 0n;
}

/** Both together. */
export function joined(a: Pinged, b: Pinged): Pinged {
  return {
    users: [...new Set([...a.users, ...b.users])],
    roles: [...new Set([...a.roles, ...b.roles])],
    everyone: a.everyone || b.everyone,
  };
}

/** Reads `allowed_mentions`; a kind that is both parsed and listed is refused. */
export function allowedIn(body: Json): Json | undefined {
  const allowed = body.allowed_mentions;
  if (!isRecord(allowed)) return undefined;
  for (const kind of ["users", "roles"]) {
    if (!strings(allowed.parse).includes(kind) || strings(allowed[kind]).length === 0) continue;
    const message = `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`;
    throw new Refusal(400, 50035, "Invalid Form Body", {
      allowed_mentions: { _errors: [{ code: "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message }] },
    });
  }
  return allowed;
}
