import { onTestFinished, vi } from "vitest";
import type { Button } from "../fakes/discord/buttons.js";
import type { FaultRule } from "../fakes/discord/faults.js";
import { expectKnownRequests } from "../fakes/discord/openapi.js";
import type { Said } from "../fakes/discord/person.js";
import { type FakeDiscord, startFakeDiscord } from "../fakes/discord/server.js";
import { createProject } from "../support/cli.js";
import { afternoonProject } from "./afternoon.js";
import { CHANNEL, PEOPLE, shownIn, standingIn, toldTo, transcriptOf } from "./discord-view.js";
import type { Ability, ScenarioDriver, Trouble } from "./scenario.js";
import { PATIENCE, serviceOn } from "./service-under-scenario.js";

const ALL: readonly Ability[] = [
  "threads",
  "direct",
  "edits",
  "bots",
  "webhooks",
  "replies",
  "private",
  "troubles",
  "missed",
  "silence",
];

const FAULTS: Readonly<Record<Exclude<Trouble, "came-twice" | "cut-off">, FaultRule["fault"]>> = {
  "answer-lost": { kind: "accept-then-drop" },
  "refused-once": { kind: "status", status: 503 },
  "slow-down": { kind: "rate-limit", retryAfterSeconds: 1 },
};

/** A server with the service in it; what was asked of Discord is held against its own document after the test. */
export async function startDiscordScenario(): Promise<ScenarioDriver> {
  const discord = await openOffice();
  const service = serviceOn(createProject(afternoonProject({ hasPictures: true })), {
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_TOKEN: discord.token,
  });
  await service.start();
  // The menu of commands comes once for each server, and for conversations with the bot.
  await discord.recorder.until(() => discord.app.commands.size === 2);
  const relay = discord.foreignWebhook("Relay", CHANNEL);
  const said = new Map<string, Said & { readonly who: string }>();
  let pressed: Button | undefined;

  function of(label: string): Said & { readonly who: string } {
    const found = said.get(label);
    if (found === undefined) throw new Error(`nobody has said "${label}"`);
    return found;
  }

  /** With the service up, waits until it has taken what was said; the steps of a scenario follow each other. */
  async function take({ id }: Said, text?: string): Promise<void> {
    if (service.isUp) await service.hasTaken("discord", id, text);
  }

  /** Who is the first to say something there begins it. */
  function threadOn({ id, channel }: Said, who: string, text: string): string {
    const there = discord.workspace.findChannel(id);
    return (there ?? discord.person(who).openThread(channel, text, { on: { id, channel } })).id;
  }

  /** A person's app shows the button, wherever it stands. */
  const button = (who: string, label: string) =>
    vi.waitFor(() => {
      const places = [...discord.workspace.channels.values()].filter(({ guildId }) => guildId !== undefined);
      const found = places.flatMap(({ id }) => standingIn(discord, id, who, label))[0];
      if (found === undefined) throw new Error(`${who} sees no button "${label}"`);
      return found;
    }, PATIENCE);

  async function press(who: string, one: Button): Promise<void> {
    const pressing = discord.person(who).press(one);
    await discord.recorder.until(() => pressing.callback);
  }

  const see = (what: string, isSo: () => boolean) =>
    vi.waitFor(() => {
      if (!isSo()) throw new Error([`nobody sees "${what}", but:`, ...transcriptOf(discord)].join("\n"));
    }, PATIENCE);

  return {
    can: new Set(ALL),
    async say({ who, text, as, under, direct, answers }) {
      const channel = direct ? "@troupe" : CHANNEL;
      const thread = under === undefined ? {} : { thread: threadOn(of(under), who, text) };
      const replyTo = answers === undefined ? {} : { replyTo: messageWith(discord, answers) };
      const message = discord.person(who).say(channel, text, { ...thread, ...replyTo });
      said.set(as, { ...message, who });
      await take(message);
    },
    async edit(label, text) {
      const message = of(label);
      discord.person(message.who).edit(message, text);
      await take(message, text);
    },
    async remove(label) {
      const message = of(label);
      discord.person(message.who).remove(message);
    },
    bot: (text, through) => take(through === "webhook" ? relay.say(text) : discord.robot("pager").say(CHANNEL, text)),
    async press(who, label) {
      pressed = await button(who, label);
      await press(who, pressed);
    },
    async pressAgain(who) {
      if (pressed === undefined) throw new Error("nothing has been pressed");
      await press(who, pressed);
    },
    async command(who, text) {
      const asked = discord.person(who).command(CHANNEL, "/agent", text);
      await discord.recorder.until(() => asked.callback !== undefined && !asked.isThinking);
    },
    trouble(kind) {
      if (kind === "came-twice") discord.gateway.fail("duplicate", "MESSAGE_CREATE");
      else if (kind === "cut-off") discord.gateway.cut();
      else discord.faults.add({ method: "execute_webhook", fault: FAULTS[kind] });
    },
    end: (how) => service.end(how),
    start: () => service.start(),
    see: ({ from, text, under }) =>
      see(`${from ?? "the app"}: ${text}`, () => {
        const { id, channel } = of(under);
        const here = discord.workspace.findChannel(id)?.id ?? channel;
        return shownIn(discord, here).some(
          (line) => (from === undefined || line.from === from) && line.text.includes(text),
        );
      }),
    told: (who, text) => see(`${text}, to ${who}`, () => toldTo(discord, who).some((line) => line.text.includes(text))),
    atWork: (persona) => service.atWork(persona),
    shown: () =>
      Promise.resolve([
        ...[...discord.workspace.channels.keys()].flatMap((channel) => shownIn(discord, channel)),
        ...PEOPLE.flatMap((who) => toldTo(discord, who).filter(({ place }) => place.startsWith("to "))),
      ]),
    accounts: () => service.accounts("discord"),
    transcript: () => Promise.resolve(transcriptOf(discord)),
  };
}

async function openOffice(): Promise<FakeDiscord> {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.close());
  onTestFinished(() => expectKnownRequests(discord));
  const { workspace } = discord;
  for (const name of PEOPLE) workspace.addUser({ name });
  workspace.addUser({ name: "pager", displayName: "Pager", isBot: true });
  workspace.addGuild({ name: "home", owner: "ann", members: [...PEOPLE, "pager", "troupe"] });
  workspace.addChannel({ name: CHANNEL });
  return discord;
}

/** The message that a person answers, found by its words. */
function messageWith(discord: FakeDiscord, words: string): { readonly id: string } {
  const all = [...discord.workspace.channels.values()].flatMap(({ messages }) => messages);
  const found = all.findLast(({ content }) => content.includes(words));
  if (found === undefined) throw new Error(`nobody has said "${words}"`);
  return found;
}
