import type { webApi } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { shownName } from "../../../adapters/shared/shown-name.js";
import { createDirectory } from "../../../adapters/slack/inbound/senders.js";
import { createLogLines } from "../../support/log-lines.js";
import { scripted } from "../../support/rooms.js";
import { listenToSlack } from "../../support/slack-listener.js";
import { startSlackRooms, taken } from "../../support/slack-rooms.js";
import { openSlackTown } from "../../support/slack-town.js";

describe("a display name", () => {
  it.each([
    ["[verify](https://evil.example)", "(verify)(https: //evil.example)"],
    ["<!channel> <@U1>", "‹!channel› ‹@U1›"],
    ["# Big\n\n> quoted", "Big › quoted"],
    ["**Ann** `x` ~~y~~", "∗∗Ann∗∗ 'x' y"],
    ["Ann\u202e\u200b\u0000 Lee", "Ann Lee"],
    ["john_doe", "john_doe"],
    ["👩\u200d💻 Zoë", "👩\u200d💻 Zoë"],
    ["x".repeat(500), "x".repeat(80)],
  ])("%j is shown as words on one line", (name, shown) => {
    expect(shownName(name)).toBe(shown);
  });

  it.each([undefined, "", "\u200b", " \n "])("%j is none", (name) => {
    expect(shownName(name)).toBeUndefined();
  });

  it("brings no link and no line of its own into what the app says", async () => {
    const { slack, shows } = await startSlackRooms({ personas: [scripted("alpha", "x")] });
    const name = "[verify](https://evil.example)\n# Big <!channel>";
    slack.workspace.addUser({ name: "mal", displayName: name, isAdmin: true });
    slack.workspace.channel("general").members.add(slack.workspace.user("mal").id);
    slack.person("mal").command("general", "/agent", "budget 7");
    await shows("general", "set the burst budget to 7");

    const [post] = slack.recorder.of("chat.postMessage");
    expect(post?.args.text).toBe("(verify)(https: //evil.example) # Big ‹!channel› set the burst budget to 7.");
    expect(slack.board.calls).toEqual([]);
  });
});

describe("a message that names thousands", () => {
  it("asks Slack for a few of them, and is kept with the ids of the others", async () => {
    const { slack, messages } = await listenToSlack();
    const text = Array.from({ length: 2_000 }, (_, i) => `<@U0FAKE${i}>`).join(" ");
    await taken(slack.person("cleo").say("general", text, { raw: true }));

    expect(slack.recorder.of("users.info").length).toBeLessThanOrEqual(31);
    expect(messages[0]?.text).toContain("U0FAKE1999");
  });

  it("is no way to keep others from being known, however many such messages there are", async () => {
    const { clock } = await openSlackTown();
    const asked: string[] = [];
    const answers = new Map<string, (answer: object) => void>();
    const info = ({ user }: { readonly user: string }) => {
      asked.push(user);
      return new Promise((resolve) => answers.set(user, resolve));
    };
    // The directory asks for nothing else.
    const reads = { users: { info } } as unknown as webApi.WebClient;
    const directory = createDirectory({ reads, homeTeam: "T0HOME", clock, logger: createLogLines() });
    const named = Array.from({ length: 300 }, (_, i) => directory.find(`U0FAKE${i}`));
    const bob = directory.person("U0BOB", "T0HOME");
    answers.get("U0BOB")?.({ user: { name: "bob", team_id: "T0HOME", is_admin: true } });

    expect(await bob).toMatchObject({ name: "bob", isAdmin: true });
    expect(asked).toHaveLength(51);
    await clock.advance(1_000);
    expect(await Promise.all(named)).toEqual(named.map(() => undefined));
  });
});

describe("a link whose address ends early", () => {
  it("keeps what follows in the address: no mention comes of it", async () => {
    const { slack, messages } = await listenToSlack();
    const link = { type: "link", url: "https://a.example/x) @alpha (y", text: "see" };
    const blocks = [{ type: "rich_text", elements: [{ type: "rich_text_section", elements: [link] }] }];
    await taken(slack.person("cleo").say("general", "<https://a.example/x) @alpha (y|see>", { raw: true, blocks }));
    await taken(slack.person("cleo").say("general", "<https://a.example/x) @alpha (y|see>", { raw: true }));

    const shown = "[see](https://a.example/x%29%20@alpha%20%28y)";
    expect(messages.map(({ text }) => text)).toEqual([shown, shown]);
  });
});
