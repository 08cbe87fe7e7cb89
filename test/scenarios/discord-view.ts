import { type Button, buttonsIn } from "../fakes/discord/buttons.js";
import type { FakeDiscord } from "../fakes/discord/server.js";
import type { Seen } from "../fakes/discord/transcript.js";
import { FACES } from "./afternoon.js";
import type { Shown } from "./scenario.js";

export const PEOPLE = ["ann", "bob", "cleo"];
export const CHANNEL = "general";

/** The line that leads to what a message answers. */
const ANSWER_LINE = /-# ↪ \[jump\]\(https:\/\/discord\.com\/channels\/[\w@]+\/\d+\/(\d+)\)/g;
/** How a persona is named where there are no webhooks. */
const NAMED = /^(?:-# .*\n)?\*\*([^*\n]+):\*\* ?/;

/** The buttons with this label that a person sees in one channel or thread. */
export function standingIn(discord: FakeDiscord, channel: string, who: string, label: string): readonly Button[] {
  return buttonsIn(discord, discord.workspace.channel(channel), discord.person(who).id).filter(
    (button) => button.label === label,
  );
}

/** What everybody can read in one channel or thread, without its threads. */
export function shownIn(discord: FakeDiscord, channel: string): readonly Shown[] {
  return discord.seen(channel).map((line) => shownAs(discord, line, line.channelId));
}

/** What is meant for this person: shown to them alone, or in answer to what they said to the app. */
export function toldTo(discord: FakeDiscord, who: string): readonly Shown[] {
  const { id } = discord.person(who);
  const channels = [...discord.workspace.channels.values()];
  const own = new Set(
    channels.flatMap(({ messages }) => messages.filter((it) => it.authorId === id)).map((it) => it.id),
  );
  return channels.flatMap((channel) => {
    const seen = discord.seen(channel.id, who);
    const alone = seen.filter(({ isPrivate }) => isPrivate).map((line) => shownAs(discord, line, `to ${who}`));
    // In a thread that began on what was said, the answer need not lead there.
    const isAnswer = ({ replyTo, channelId }: Seen) => own.has(replyTo ?? channelId);
    const answers = seen.filter((line) => line.isApp && !line.isWebhook && isAnswer(line));
    return [...alone, ...answers.map((line) => shownAs(discord, line, channel.id))];
  });
}

/** A webhook's message bears the persona's name and picture; in a direct conversation the bot writes the name before the words. */
function shownAs(discord: FakeDiscord, line: Seen, place: string): Shown {
  const isDirect = discord.workspace.channel(line.channelId).guildId === undefined;
  const named = isDirect && line.isApp && !line.isWebhook ? NAMED.exec(line.text) : null;
  const from = named?.[1] ?? line.name;
  const face = FACES.find(({ displayName }) => displayName === from);
  const isRight = named !== null || (line.isWebhook && line.avatar === face?.picture);
  const text = named === null ? line.text : line.text.slice(named[0].length);
  return { from, text, place, hasPersonasFace: face !== undefined && isRight };
}

/** The channel and the conversations with the app; what one person alone is told stands below them. */
export function transcriptOf(discord: FakeDiscord): readonly string[] {
  const { workspace } = discord;
  const rooms = [...workspace.channels.values()].filter((channel) => workspace.rootOf(channel) === channel);
  const common = rooms.flatMap(({ id, name, guildId }) => {
    const lines = discord.transcript(id);
    return [`# ${guildId === undefined ? name : `#${name}`}`, "", ...lines.map((line) => plain(discord, line)), ""];
  });
  const alone = PEOPLE.flatMap((who) => {
    const told = toldTo(discord, who).filter(({ place }) => place.startsWith("to "));
    const lines = told.map(({ from, text }) => plain(discord, `${from}: ${text}`));
    return told.length === 0 ? [] : [`# to ${who} alone`, "", ...lines, ""];
  });
  return [...common, ...alone];
}

/** Names in the place of ids and addresses, which are others in each run. */
function plain(discord: FakeDiscord, line: string): string {
  const room = `discord:${discord.workspace.guild("home").id}:${discord.workspace.channel(CHANNEL).id}`;
  return line.replaceAll(room, `discord:home:${CHANNEL}`).replaceAll(ANSWER_LINE, (_, id: string) => {
    const seen = [...discord.workspace.channels.keys()].flatMap((channel) => discord.seen(channel));
    return `↪ jump [to ${seen.find((it) => it.id === id)?.name ?? "nothing"}]`;
  });
}
