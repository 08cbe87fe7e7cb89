import { APP_MENTION, harmless } from "../../shared/text-in-names.js";
import type { Workspace } from "../workspace.js";
import { mrkdwnText } from "./text-in-mrkdwn.js";
import { richText } from "./text-in-rich.js";
import { type Names, plainTokens } from "./text-in-tokens.js";
import type { SlackMessage } from "./wire.js";

/**
 * What a message says, as Markdown. Live mentions of our bot users stand there as `@name`; those in code and quotes stand in
 * Markdown's code and quotes, where they are inert. Rich text counts before the plain one, attachments and unfurled links never.
 */
export function textOf(message: SlackMessage, people: (id: string) => string, workspace: Workspace): string {
  const names = namesIn(message.text ?? "", people, workspace);
  return (richText(message.blocks ?? [], names) || mrkdwnText(message.text ?? "", names)).trim();
}

/** What follows a slash command, its tokens as names. */
export function commandTextOf(text: string, people: (id: string) => string, workspace: Workspace): string {
  const names = namesIn(text, people, workspace);
  return plainTokens(text, names).trim();
}

/** The people whose names a text needs. */
export function peopleIn(read: (people: (id: string) => string) => string): ReadonlySet<string> {
  const ids = new Set<string>();
  read((id) => {
    ids.add(id);
    return id;
  });
  return ids;
}

function namesIn(text: string, people: (id: string) => string, workspace: Workspace): Names {
  const labels = new Map<string, string>();
  for (const [, id = "", label = ""] of text.matchAll(/<(?:#|!subteam\^)(\w+)\|([^<>|\n]*)>/g)) labels.set(id, label);
  return {
    person: (id) => harmless(people(id)) || id,
    label: (id) => harmless(labels.get(id) ?? "") || undefined,
    own(id) {
      const owner = workspace.ownerOf(id);
      return owner && (owner.persona === undefined ? APP_MENTION : `@${owner.persona}`);
    },
  };
}
