import { describe, expect, it, onTestFinished } from "vitest";
import type { SlackAdapterOptions } from "../../../adapters/slack/index.js";
import { MAIN_SCOPES } from "../../../adapters/slack/setup/manifest.js";
import { preflight } from "../../../adapters/slack/setup/preflight.js";
import { startFakeSlack } from "../../fakes/slack/server.js";
import { createLogLines } from "../../support/log-lines.js";
import { slackClient } from "../../support/slack-bolt.js";
import { listenToSlack } from "../../support/slack-listener.js";
import { taken } from "../../support/slack-rooms.js";
import { openSlackTown, type SlackTown } from "../../support/slack-town.js";

/** Why the adapter does not start. */
async function refusal(town: SlackTown, adapter: Partial<SlackAdapterOptions> = {}): Promise<string> {
  const listener = await listenToSlack({ town, adapter, connects: false });
  try {
    await listener.adapter.start(listener.inbox, new AbortController().signal);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("expected the adapter not to start");
}

describe("a start with the wrong token", () => {
  it("says which two are swapped, without asking Slack", async () => {
    const town = await openSlackTown();
    const { token, appToken } = town.slack.workspace.app("troupe");

    expect(await refusal(town, { botToken: appToken })).toContain("swap it with SLACK_APP_TOKEN");
    expect(await refusal(town, { transport: { mode: "socket", appToken: token } })).toContain(
      "swap it with SLACK_BOT_TOKEN",
    );
    expect(await refusal(town, { botToken: "xoxp-of-a-person" })).toContain("Bot User OAuth Token");
    expect(await refusal(town, { transport: { mode: "socket", appToken: "x" } })).toContain("connections:write");
    expect(town.slack.recorder.requests).toEqual([]);
  });

  it("says that Slack refuses it and what to do, and never the token", async () => {
    const town = await openSlackTown();
    const reason = await refusal(town, { botToken: "xoxb-of-nobody" });

    expect(reason).toContain("SLACK_BOT_TOKEN (invalid_auth)");
    expect(reason).toContain("install the app again and copy");
    expect(reason).not.toContain("xoxb-of-nobody");
  });

  it("names the persona's token that is of another kind or refused", async () => {
    const town = await openSlackTown();
    const personaTokens = (token: string) => new Map([["gamma", { tokenName: "GAMMA_TOKEN", token }]]);
    const other = town.slack.workspace.app("gamma").token;

    expect(await refusal(town, { personaTokens: personaTokens("xapp-1") })).toContain("GAMMA_TOKEN");
    town.slack.faults.add({ method: "auth.test", app: "gamma", fault: { kind: "error", error: "token_revoked" } });
    expect(await refusal(town, { personaTokens: personaTokens(other) })).toContain("GAMMA_TOKEN (token_revoked)");
  });

  it("names the persona's token that is of another workspace", async () => {
    const { slack } = await openSlackTown();
    const away = await startFakeSlack({ teamId: "T0AWAY" });
    onTestFinished(() => away.close());
    const { token } = away.workspace.addApp({ name: "gamma" });
    const main = slackClient(slack);
    const clients = {
      posts: (persona?: string) => (persona === undefined ? main : slackClient(away, "gamma")),
      reads: main,
      history: main,
    };
    const personaTokens = new Map([["gamma", { tokenName: "GAMMA_TOKEN", token }]]);
    const botToken = slack.workspace.app("troupe").token;

    const refused = preflight({ clients, botToken, personaTokens, logger: createLogLines() });
    await expect(refused).rejects.toThrow("GAMMA_TOKEN is a token of another workspace");
  });

  it("says that Slack cannot be reached, and may be tried again", async () => {
    const town = await openSlackTown();
    town.slack.faults.add({ method: "auth.test", fault: { kind: "drop" }, times: 9 });
    expect(await refusal(town)).toContain("Slack cannot be reached");
  });
});

describe("a start without a right", () => {
  it("that posting takes does not happen, and the mend is named", async () => {
    const town = await openSlackTown();
    town.slack.workspace.app("troupe").scopes.delete("chat:write");
    expect(await refusal(town)).toBe(
      'The Slack app may not post: add the scope chat:write on its page "OAuth & Permissions", then install it to the workspace again.',
    );
  });

  it("that something else takes happens; each is named in the log, and once to an admin", async () => {
    const town = await openSlackTown();
    for (const scope of ["files:read", "groups:history"]) town.slack.workspace.app("troupe").scopes.delete(scope);
    const { slack, logs } = await listenToSlack({ town });

    await taken(slack.person("cleo").say("general", "hello"));
    await taken(slack.person("ann").say("general", "hello"));
    await slack.recorder.until(() => slack.board.ephemerals.length > 0);
    await taken(slack.person("ann").say("general", "hello again"));

    const warned = logs.lines.filter(({ level }) => level === "warn").map(({ message }) => message);
    expect(warned.filter((line) => /add the scope (files:read|groups:history) /.test(line))).toHaveLength(2);
    expect(slack.board.ephemerals).toHaveLength(1);
    expect(slack.board.ephemerals[0]).toMatchObject({ userId: slack.person("ann").id });
    expect(JSON.stringify(slack.board.ephemerals[0])).toContain("files:read");
  });

  it("that something else takes is not told again when the connection is started anew", async () => {
    const town = await openSlackTown();
    town.slack.workspace.app("troupe").scopes.delete("files:read");
    const { slack, adapter, inbox } = await listenToSlack({ town });
    await taken(slack.person("ann").say("general", "hello"));
    await slack.recorder.until(() => slack.board.ephemerals.length === 1);

    await adapter.start(inbox, new AbortController().signal);
    town.slack.workspace.app("troupe").scopes.delete("groups:history");
    await adapter.start(inbox, new AbortController().signal);
    await taken(slack.person("ann").say("general", "hello again"));
    await slack.recorder.until(() => slack.board.ephemerals.length === 2);

    const [first, second] = slack.board.ephemerals.map((shown) => JSON.stringify(shown));
    expect(first).toContain("files:read");
    expect(second).toContain("groups:history");
    expect(second).not.toContain("add the scope files:read");
  });

  it("needs nothing that the manifest does not ask for", async () => {
    const town = await openSlackTown();
    const { scopes } = town.slack.workspace.app("troupe");
    scopes.clear();
    for (const scope of Object.keys(MAIN_SCOPES)) scopes.add(scope);
    const { logs } = await listenToSlack({ town });

    expect(logs.lines.filter(({ level }) => level === "warn")).toEqual([]);
  });
});
