import { APP_MENTION, goesOn, harmless, sticks } from "../../shared/text-in-names.js";

/** What the ids in a message stand for. */
export interface Names {
  /** The bot itself. */
  isOwn(userId: string): boolean;
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
  /** `app`: the bot's own role, which pickers offer beside the bot; `persona`: a persona's, by its handle. */
  role(id: string): { readonly kind: "app" | "persona" | "other"; readonly name: string } | undefined;
}

/** `<…>` as Discord marks what is not plain text: mentions, channels, emoji, moments, commands, sounds, places of a server. */
const TOKEN =
  /<(?:@!?(?<user>\d+)|@&(?<role>\d+)|#(?<channel>\d+)|a?:(?<emoji>\w+):\d+|t:(?<time>-?\d{1,13})(?::\w)?|(?<command>\/[^<>:\n]{1,100}):\d+|(?:id:(?<guide>[\w-]+)(?::\d+)?))>/g;

/** Milliseconds; later moments cannot be written as dates. */
const LAST_MOMENT = 8.64e15;

/** The text with its tokens as what they show. Live mentions stand apart from the words around them; all other names are mere words. */
export function plainTokens(text: string, names: Names): string {
  let isAddressing = false;
  return text.replace(TOKEN, (whole: string, ...rest: readonly unknown[]) => {
    // Behind the groups stand the place, the whole text and the named groups.
    const [at, , groups] = rest.slice(-3) as [number, string, Groups];
    const before = text.slice(0, at);
    const mention = mentionOf(groups, names);
    if (mention !== undefined) {
      if (before.trim() === "") isAddressing = mention === APP_MENTION;
      const behind = text.slice(at + whole.length, at + whole.length + 2);
      return `${sticksTo(before) ? " " : ""}${mention}${goesOn(behind) ? " " : ""}`;
    }
    const shown = shownOf(groups, names) ?? whole;
    // Right behind the app's mention a bare name would address whoever has it.
    return isAddressing && isFirstWord(before) ? `(${shown})` : shown;
  });
}

type Groups = Readonly<
  Record<"user" | "role" | "channel" | "emoji" | "time" | "command" | "guide", string | undefined>
>;

function mentionOf({ user, role }: Groups, names: Names): string | undefined {
  if (user !== undefined) return names.isOwn(user) ? APP_MENTION : undefined;
  const named = role === undefined ? undefined : names.role(role);
  if (named?.kind === "app") return APP_MENTION;
  return named?.kind === "persona" ? `@${named.name}` : undefined;
}

function shownOf({ user, role, channel, emoji, time, command, guide }: Groups, names: Names): string | undefined {
  if (user !== undefined) return harmless(names.user(user) ?? "") || user;
  if (role !== undefined) return harmless(names.role(role)?.name ?? "") || role;
  if (channel !== undefined) return `#${harmless(names.channel(channel) ?? "") || channel}`;
  if (emoji !== undefined) return `:${emoji}:`;
  if (time !== undefined) return momentOf(Number(time) * 1_000);
  return command ?? guide;
}

function momentOf(ms: number): string | undefined {
  if (Math.abs(ms) > LAST_MOMENT) return undefined;
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** A backslash takes the mark off a mention: there nothing comes between them, so that it stays off. */
function sticksTo(before: string): boolean {
  return !before.endsWith("\\") && sticks(before);
}

/** Whether nothing but the first mention stands before. */
function isFirstWord(before: string): boolean {
  return /^\s*<@[!&]?\d+>[\s,:]*$/.test(before);
}
