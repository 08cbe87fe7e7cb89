import { describe, expect, it } from "vitest";
import type { Platform } from "../../../src/index.js";
import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import { passUntil } from "../../support/passing.js";
import { scripted } from "../../support/rooms.js";
import { listenToSlack } from "../../support/slack-listener.js";
import { startSlackRooms, taken } from "../../support/slack-rooms.js";
import { openSlackTown, type SlackTown } from "../../support/slack-town.js";
import { watchStore } from "../../support/watched-store.js";

const alpha = scripted("alpha", "you said: {{text}}");

/** Stops it, what is still on its way included. */
async function stopped(town: SlackTown, adapter: Platform): Promise<void> {
  let isStopped = false;
  const stopping = adapter.stop(3_000).finally(() => {
    isStopped = true;
  });
  await passUntil(town, () => isStopped);
  await stopping;
}

describe("the two events of one mention", () => {
  it.each(["message-first", "mention-first"] as const)(
    "are one message when a restart comes between them, %s",
    async (order) => {
      const town = await openSlackTown();
      const { slack } = town;
      const store = createMemoryStore();
      slack.feed.twins = order;
      const first = await startSlackRooms({ personas: [alpha], town, store });
      slack.courier.hold();
      const said = slack.person("ann").say("general", "@Troupe alpha, hello");
      const [one, other] = said.deliveries;
      one?.retryNow();
      await one?.settled;
      await first.shows("general", "you said:");
      await first.stop();

      const second = await startSlackRooms({ personas: [alpha], town, store });
      slack.courier.release();
      await other?.settled;
      const next = slack.person("ann").say("general", "@alpha next");
      await taken(said, next);
      await second.shows("general", "you said: @alpha next");

      expect((await second.log("general")).filter(({ entry }) => entry.kind === "message")).toHaveLength(2);
      expect(slack.transcript("general").filter((line) => line.includes("you said:"))).toHaveLength(2);
    },
  );
});

describe("a burst of mentions", () => {
  it("is answered whole, each once, while Slack renews the connections one after the other", async () => {
    const { slack, shows, store, session } = await startSlackRooms({ personas: [alpha] });
    const lines = () => slack.sockets.open("troupe");
    await slack.recorder.until(() => lines().length === 2);
    const ann = slack.person("ann");
    const said = [];
    for (let i = 0; i < 24; i++) {
      if (i === 6 || i === 14) {
        await slack.recorder.until(() => lines().length === 2);
        lines()[0]?.disconnect("refresh_requested");
      }
      said.push(ann.say("general", `@alpha number ${i}.`));
    }
    for (let i = 0; i < 24; i++) await shows("general", `you said: @alpha number ${i}.`);
    await taken(...said);

    expect(slack.recorder.of("chat.postMessage")).toHaveLength(24);
    expect((await store.read(session("general"), 0, 100)).filter(({ entry }) => entry.kind === "message")).toHaveLength(
      24,
    );
  });
});

describe("a storm of limits", () => {
  it("on looking people up costs names, not messages", async () => {
    const town = await openSlackTown();
    const { slack } = town;
    const { messages, adapter } = await listenToSlack({ town });
    slack.faults.add({
      method: "users.info",
      times: 1_000,
      fault: { kind: "rate-limit", retryAfterSeconds: 30 },
    });
    for (const name of ["ann", "bob", "cleo"]) slack.person(name).say("general", `@alpha from ${name}`);
    await passUntil(town, () => messages.length === 3);
    await stopped(town, adapter);

    expect(messages.map(({ text }) => text)).toEqual(["@alpha from ann", "@alpha from bob", "@alpha from cleo"]);
    for (const { from } of messages) expect(from).toMatchObject({ name: from.id, isAdmin: false });
  });

  it.each(["status", "drop", "garbage"] as const)(
    "of failures (%s) on looking people up costs names alone",
    async (kind) => {
      const town = await openSlackTown();
      const { slack } = town;
      const { messages, adapter } = await listenToSlack({ town });
      const fault = kind === "status" ? ({ kind, status: 500 } as const) : ({ kind } as const);
      slack.faults.add({ method: "users.info", times: 1_000, fault });
      slack.person("ann").say("general", "@alpha hello");
      await passUntil(town, () => messages.length === 1);
      await stopped(town, adapter);

      expect(messages).toMatchObject([{ text: "@alpha hello", from: { name: slack.person("ann").id } }]);
    },
  );

  it("on posting delays the reply, and it stands once", async () => {
    const town = await openSlackTown();
    const { slack } = town;
    await startSlackRooms({ personas: [alpha], town });
    slack.faults.add({ method: "chat.postMessage", times: 5, fault: { kind: "rate-limit", retryAfterSeconds: 2 } });
    await taken(slack.person("ann").say("general", "@alpha hello"));
    await passUntil(town, () => slack.transcript("general").some((line) => line.includes("you said: @alpha hello")));

    expect(slack.transcript("general").filter((line) => line.includes("you said:"))).toHaveLength(1);
  });
});

describe("a store that takes longer than Slack waits", () => {
  it("delays what a command and a click ask for, but not the acknowledgement, and each happens once", async () => {
    const watched = watchStore(createMemoryStore());
    const broken = scripted("broken", { steps: [{ fail: "temporary" }] });
    const { slack, shows, session } = await startSlackRooms({ personas: [broken], store: watched });
    const ann = slack.person("ann");
    ann.say("general", "@broken hello");
    await shows("general", "Retry");
    const retry = ann.sees("general", "Retry");
    let isOpen = false;
    let open = () => {};
    const slow = new Promise<undefined>((resolve) => {
      open = () => {
        isOpen = true;
        resolve(undefined);
      };
    });
    watched.before = () => (isOpen ? undefined : slow);

    const command = ann.command("general", "/agent", "budget 4");
    const click = ann.press(retry);
    expect((await command.delivery.settled).state).toBe("acked");
    expect((await click.delivery.settled).state).toBe("acked");
    expect(isOpen).toBe(false);
    open();
    await shows("general", "ann set the burst budget to 4.");
    await slack.recorder.until(() => slack.recorder.of("chat.update").length > 0);

    const notices = (await watched.read(session("general"), 0, 100)).filter(({ entry }) => entry.kind === "notice");
    expect(notices).toHaveLength(1);
    expect(slack.transcript("general").filter((line) => line.includes("burst budget to 4"))).toHaveLength(1);
  });
});

describe("a button with a value that nobody made", () => {
  it.each([
    ["none", ""],
    ["a very long one", "x".repeat(2_000)],
    ["a path", "..|general|1"],
    ["another platform's", "web:local:main|1"],
    ["an object's insides", '{"__proto__":{}}'],
    ["a message's", "message|1.2"],
  ])("such as %s is a clear answer to whoever pressed, and changes nothing", async (_, value) => {
    const { slack, log, logs } = await startSlackRooms({ personas: [alpha] });
    await taken(slack.person("ann").say("general", "hello"));
    const before = await log("general");
    const button = { type: "button", text: { type: "plain_text", text: "Press" }, value };
    const elements = ["troupe:continue", "troupe:resume", "troupe:retry", "troupe:unheard-of"].map((action_id) => ({
      ...button,
      action_id,
    }));
    const actions = elements.map((element, i) => ({ ...element, block_id: `b${i}` }));
    const app = slack.workspace.app("troupe");
    const ann = slack.person("ann").id;
    const clicks = actions.map((action) =>
      slack.courier.send(app, "interactive", {
        type: "block_actions",
        user: { id: ann, team_id: slack.workspace.team.id },
        channel: { id: slack.workspace.channel("general").id },
        actions: [action],
      }),
    );
    await Promise.all(clicks.map(({ settled }) => settled));
    await slack.recorder.until(() => slack.board.ephemerals.length === actions.length);

    expect(clicks.map(({ state }) => state)).toEqual(actions.map(() => "acked"));
    expect(await log("general")).toEqual(before);
    expect(logs.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});
