import { describe, expect, it } from "vitest";
import { settle } from "../../support/fake-clock.js";
import { scripted } from "../../support/rooms.js";
import { listenToSlack } from "../../support/slack-listener.js";
import { startSlackRooms, taken } from "../../support/slack-rooms.js";

const alpha = scripted("alpha", "you said: {{text}}");

describe("a message that comes after what became of it", () => {
  it("is taken as its author has left it", async () => {
    const { slack, shows, log } = await startSlackRooms({ personas: [alpha] });
    const ann = slack.person("ann");
    slack.courier.hold();
    const said = ann.say("general", "@alpha tow");
    const edited = ann.edit(said, "@alpha two");
    slack.courier.release("backwards");
    await taken(said, edited);

    await shows("general", "you said: @alpha two");
    expect((await log("general")).map(({ entry }) => entry.text)).toEqual(["@alpha two"]);
  });

  it("is left when it has been deleted, and the next one is taken", async () => {
    const { slack, shows, log } = await startSlackRooms({ personas: [alpha] });
    const ann = slack.person("ann");
    slack.courier.hold();
    const said = ann.say("general", "@alpha never mind");
    const removed = ann.remove(said);
    slack.courier.release("backwards");
    await taken(said, removed);
    ann.say("general", "@alpha next");

    await shows("general", "you said: @alpha next");
    expect((await log("general")).map(({ entry }) => entry.text)).toEqual(["@alpha next"]);
  });

  it("keeps the newest of two edits, whichever comes last", async () => {
    const { slack, messages, revisions } = await listenToSlack();
    const ann = slack.person("ann");
    const said = ann.say("general", "one");
    await taken(said);
    slack.courier.hold();
    const second = ann.edit(said, "two");
    const third = ann.edit(said, "three");
    // Over one connection each, in turn.
    const [newest, older] = [third, second].flatMap(({ deliveries }) => deliveries);
    slack.courier.release("backwards");
    await Promise.all([newest?.settled, older?.settled]);

    expect(messages.map(({ text }) => text)).toEqual(["one"]);
    expect(revisions.at(-1)?.text).toBe("three");
  });
});

describe("a command or a click that comes twice", () => {
  it("is done once, over one connection or two", async () => {
    const { slack, commands, presses } = await listenToSlack();
    const button = {
      type: "button",
      action_id: "troupe:resume",
      value: "v",
      text: { type: "plain_text", text: "Resume" },
    };
    slack.robot("troupe").say("general", "paused", { blocks: [{ type: "actions", elements: [button] }] });
    const ann = slack.person("ann");
    const command = ann.command("general", "/agent", "resume");
    const press = ann.press(ann.sees("general", "Resume"));
    await Promise.all([command.delivery.settled, press.delivery.settled]);
    const before = slack.sockets.acks.length;
    for (const { delivery } of [command, press, command, press]) delivery.again();
    await slack.recorder.until(() => slack.sockets.acks.length === before + 4);
    await ann.command("general", "/agent", "help").delivery.settled;
    await slack.recorder.until(() => commands.some(({ text }) => text === "agent help"));
    await settle();

    expect(commands.map(({ text }) => text)).toEqual(["agent resume", "agent help"]);
    expect(presses).toHaveLength(1);
  });
});

describe("an app that another workspace has installed too", () => {
  const there = { team_id: "T0OTHER", user_id: "U0BOT", is_bot: true, is_enterprise_install: false };

  it("hears nothing of what is said there, and is not put out of work by being removed there", async () => {
    const { slack, adapter, messages } = await listenToSlack();
    const app = slack.workspace.app("troupe");
    const event = { type: "message", channel: "C0OTHER", ts: "1767603600.000900", user: "U0OTHER", text: "@alpha hi" };
    const body = { type: "event_callback", team_id: "T0OTHER", event_id: "Ev0A", authorizations: [there], event };
    const gone = { type: "event_callback", team_id: "T0OTHER", event_id: "Ev0B", event: { type: "app_uninstalled" } };
    const sent = [body, gone].map((it) => slack.courier.send(app, "events_api", it));
    await Promise.all(sent.map(({ settled }) => settled));
    await taken(slack.person("dora").say("general", "from a shared channel"));

    expect(sent.map(({ state }) => state)).toEqual(["acked", "acked"]);
    expect(messages.map(({ text }) => text)).toEqual(["from a shared channel"]);
    expect(adapter.status()).toEqual({ ready: true });
  });
});
