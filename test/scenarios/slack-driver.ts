import { onTestFinished, vi } from "vitest";
import type { FaultRule } from "../fakes/slack/faults.js";
import type { Button } from "../fakes/slack/interactions.js";
import type { Said } from "../fakes/slack/person.js";
import { type FakeSlack, startFakeSlack } from "../fakes/slack/server.js";
import type { Seen } from "../fakes/slack/transcript.js";
import { createProject } from "../support/cli.js";
import { afternoonProject, FACES } from "./afternoon.js";
import type { Ability, ScenarioDriver, Shown, Trouble } from "./scenario.js";
import { PATIENCE, serviceOn } from "./service-under-scenario.js";

const ALL: readonly Ability[] = ["threads", "direct", "edits", "bots", "private", "troubles", "missed", "silence"];
const PEOPLE = ["ann", "bob", "cleo"];
const CHANNEL = "general";
/** The persona with an app of its own, and where its token is found. */
const OWN_APP = "writer";
const OWN_TOKEN = "WRITER_SLACK_BOT_TOKEN";

const FAULTS: Readonly<Record<Exclude<Trouble, "came-twice" | "cut-off">, FaultRule["fault"]>> = {
  "answer-lost": { kind: "accept-then-drop" },
  "refused-once": { kind: "status", status: 503 },
  "slow-down": { kind: "rate-limit", retryAfterSeconds: 1 },
};

/** A workspace with the service in it, over Socket Mode; one persona speaks by an app of its own. */
export async function startSlackScenario(): Promise<ScenarioDriver> {
  const slack = await openOffice();
  const service = serviceOn(createProject(afternoonProject({ ownApps: { [OWN_APP]: OWN_TOKEN } })), {
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.workspace.app("troupe").token,
    SLACK_APP_TOKEN: slack.workspace.app("troupe").appToken,
    [OWN_TOKEN]: slack.workspace.app(OWN_APP).token,
  });
  await service.start();
  const said = new Map<string, Said>();
  let pressed: Button | undefined;

  function of(label: string): Said {
    const found = said.get(label);
    if (found === undefined) throw new Error(`nobody has said "${label}"`);
    return found;
  }

  /** With the service up, waits until it has taken what was said; the steps of a scenario follow each other. */
  async function take({ deliveries }: Said): Promise<void> {
    if (!service.isUp) return;
    await Promise.all(deliveries.map(({ settled }) => settled));
  }

  const thread = ({ channel, ts }: Said) => slack.seen(channel).find((root) => root.ts === ts);

  return {
    can: new Set(ALL),
    async say({ who, text, as, under, direct }) {
      const place = direct ? "@troupe" : CHANNEL;
      const message = slack.person(who).say(place, text, under === undefined ? {} : { thread: of(under) });
      said.set(as, message);
      await take(message);
    },
    async edit(label, text) {
      const message = of(label);
      await take(slack.person(authorOf(slack, message)).edit(message, text));
    },
    async remove(label) {
      const message = of(label);
      await take(slack.person(authorOf(slack, message)).remove(message));
    },
    bot: (text) => take(slack.robot("pager").say(CHANNEL, text)),
    async press(who, button) {
      pressed = await vi.waitFor(() => slack.person(who).sees(CHANNEL, button), PATIENCE);
      await slack.person(who).press(pressed).delivery.settled;
    },
    async pressAgain(who) {
      if (pressed === undefined) throw new Error("nothing has been pressed");
      await slack.person(who).press(pressed).delivery.settled;
    },
    async command(who, text) {
      await slack.person(who).command(CHANNEL, "/agent", text).delivery.settled;
    },
    trouble(kind) {
      if (kind === "came-twice") slack.courier.fail("duplicate");
      else if (kind === "cut-off") for (const socket of slack.sockets.open("troupe")) socket.kill();
      else slack.faults.add({ method: "chat.postMessage", fault: FAULTS[kind] });
    },
    end: (how) => service.end(how),
    start: () => service.start(),
    see: ({ from, text, under }) =>
      waitFor(slack, `${from ?? "the app"}: ${text}`, () => {
        const root = thread(of(under));
        const isDirect = of(under).channel.startsWith("D");
        const here = isDirect ? linesIn(slack.seen(of(under).channel)) : (root?.replies ?? []);
        return here.some((line) => (from === undefined || line.name === from) && line.text.includes(text));
      }),
    told: (who, text) =>
      waitFor(slack, `${text}, to ${who} alone`, () => toldTo(slack, who).some((line) => line.text.includes(text))),
    atWork: (persona) => service.atWork(persona),
    shown: () =>
      Promise.resolve([
        ...channelsOf(slack).flatMap((channel) => shownIn(slack, channel)),
        ...PEOPLE.flatMap((who) => toldTo(slack, who).map((line) => shownAs(slack, line, `to ${who}`))),
      ]),
    accounts: () => service.accounts("slack"),
    transcript: () => Promise.resolve(transcriptOf(slack)),
  };
}

async function openOffice(): Promise<FakeSlack> {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const { workspace } = slack;
  for (const name of PEOPLE) workspace.addUser({ name, isAdmin: name === "ann" });
  workspace.addApp({ name: "troupe", displayName: "Troupe", commands: ["/agent"] });
  workspace.addApp({ name: OWN_APP, displayName: "Writer", scopes: ["chat:write"], events: [] });
  workspace.addApp({ name: "pager", displayName: "Pager", scopes: ["chat:write"], events: [] });
  workspace.addChannel({ name: CHANNEL, members: [...PEOPLE, "troupe", OWN_APP, "pager"] });
  return slack;
}

function authorOf(slack: FakeSlack, { channel, ts }: Said): string {
  const message = slack.workspace.channel(channel).byTs.get(ts);
  return slack.workspace.user(message?.userId ?? "").name;
}

async function waitFor(slack: FakeSlack, what: string, isSo: () => boolean): Promise<void> {
  await vi.waitFor(() => {
    if (!isSo()) throw new Error([`nobody sees "${what}", but:`, ...transcriptOf(slack)].join("\n"));
  }, PATIENCE);
}

function channelsOf(slack: FakeSlack): readonly string[] {
  return [...slack.workspace.channels.values()].map(({ id }) => id);
}

function linesIn(seen: readonly Seen[]): readonly Seen[] {
  return seen.flatMap((line) => [line, ...line.replies]);
}

/** What only this person sees. */
function toldTo(slack: FakeSlack, who: string): readonly Seen[] {
  return linesIn(slack.seen(CHANNEL, who)).filter(({ isPrivate }) => isPrivate);
}

function shownIn(slack: FakeSlack, channel: string): readonly Shown[] {
  return slack.seen(channel).flatMap((root) => linesIn([root]).map((line) => shownAs(slack, line, root.ts)));
}

function shownAs(slack: FakeSlack, { name, text, icon, isApp, ts }: Seen, place: string): Shown {
  const face = FACES.find(({ displayName }) => displayName === name);
  const message = [...slack.workspace.channels.values()].flatMap(({ byTs }) => byTs.get(ts) ?? [])[0];
  // An app of a persona's own has its own picture.
  const isRight = face?.name === OWN_APP ? message?.app?.name === OWN_APP : icon === face?.avatar;
  return { from: name, text, place, hasPersonasFace: face !== undefined && isApp && isRight };
}

/** The channel and the conversations with the app; what one person alone is told stands below them. */
function transcriptOf(slack: FakeSlack): readonly string[] {
  const common = channelsOf(slack).flatMap((id) => {
    const { name, kind } = slack.workspace.channel(id);
    return [`# ${kind === "im" ? name : `#${name}`}`, "", ...slack.transcript(id), ""];
  });
  const alone = PEOPLE.flatMap((who) => {
    const told = toldTo(slack, who);
    return told.length === 0 ? [] : [`# to ${who} alone`, "", ...told.map(({ name, text }) => `${name}: ${text}`), ""];
  });
  return [...common, ...alone];
}
