import { describe, expect, it } from "vitest";
import { refusal, slackClient } from "../../support/slack-bolt.js";
import { openSlackTown } from "../../support/slack-town.js";

describe("a token", () => {
  it("names its bot, and the scopes come in a header", async () => {
    const { slack } = await openSlackTown();
    const { userId, botId } = slack.workspace.app("troupe");

    const answer = await slackClient(slack).auth.test();

    expect(answer).toMatchObject({ ok: true, team_id: "T0HOME", user_id: userId, bot_id: botId });
    expect(answer.response_metadata?.scopes).toContain("chat:write.customize");
  });

  it("that nobody has, or has no more, is refused with the reason", async () => {
    const { slack } = await openSlackTown();

    expect(await refusal(slackClient(slack, "troupe", "xoxb-nobody").auth.test())).toBe("invalid_auth");
    expect(await refusal(slackClient(slack, "troupe", "").auth.test())).toBe("not_authed");
    slack.robot("troupe").revoke();
    expect(await refusal(slackClient(slack).auth.test())).toBe("token_revoked");
    slack.robot("gamma").uninstall();
    expect(await refusal(slackClient(slack, "gamma").auth.test())).toBe("account_inactive");
  });

  it("of the wrong kind is refused both ways", async () => {
    const { slack } = await openSlackTown();
    const { appToken } = slack.workspace.app("troupe");

    expect(await refusal(slackClient(slack).apps.connections.open())).toBe("not_allowed_token_type");
    expect(await refusal(slackClient(slack, "troupe", appToken).auth.test())).toBe("not_allowed_token_type");
  });

  it("without a scope is told which one it needs and which it has", async () => {
    const { slack } = await openSlackTown();
    const call = slackClient(slack, "gamma").users.info({ user: slack.person("ann").id });

    await expect(call).rejects.toMatchObject({
      data: { error: "missing_scope", needed: "users:read", provided: "chat:write,files:write,reactions:write" },
    });
  });

  it("is recorded by name and place, never by value", async () => {
    const { slack } = await openSlackTown();

    await slackClient(slack).auth.test({ token: slack.workspace.app("gamma").token });

    expect(slack.recorder.requests).toMatchObject([
      { method: "auth.test", token: "gamma", tokenIn: ["header", "body"], outcome: "ok" },
    ]);
    expect(JSON.stringify(slack.recorder.requests)).not.toContain("xoxb");
  });
});

describe("a body", () => {
  it("is read as a form and as JSON alike", async () => {
    const { slack } = await openSlackTown();
    const { token } = slack.workspace.app("troupe");
    const { id } = slack.workspace.channel("general");
    const blocks = [{ type: "section", text: { type: "mrkdwn", text: "hi" } }];
    const post = (type: string, body: string) =>
      fetch(`${slack.apiUrl}chat.postMessage`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": type },
        body,
      });

    await post("application/json", JSON.stringify({ channel: id, blocks }));
    const form = new URLSearchParams({ channel: id, blocks: JSON.stringify(blocks) });
    await post("application/x-www-form-urlencoded", form.toString());

    const [first, second] = slack.recorder.of("chat.postMessage");
    expect(first?.args).toEqual(second?.args);
    expect(slack.transcript("general")).toEqual(["Troupe [APP]: hi", "Troupe [APP]: hi"]);
  });

  it("that lacks an argument is refused, naming it; a method that is not there is unknown", async () => {
    const { slack } = await openSlackTown();
    const client = slackClient(slack);

    await expect(client.apiCall("chat.postMessage", { text: "hi" })).rejects.toMatchObject({
      data: {
        error: "invalid_arguments",
        response_metadata: { messages: ["[ERROR] missing required field: channel"] },
      },
    });
    expect(await refusal(client.apiCall("stars.add"))).toBe("unknown_method");
  });
});

describe("looking around", () => {
  it("shows channels to those who may know them, page by page", async () => {
    const { slack } = await openSlackTown();
    const client = slackClient(slack);
    const types = "public_channel,private_channel";

    const first = await client.conversations.list({ types, limit: 1 });
    const cursor = first.response_metadata?.next_cursor ?? "";
    const second = await client.conversations.list({ types, limit: 1, cursor });

    expect([...(first.channels ?? []), ...(second.channels ?? [])].map((channel) => channel.name)).toEqual([
      "general",
      "den",
    ]);
    expect(second.response_metadata?.next_cursor).toBe("");
    slack.workspace.app("gamma").scopes.add("groups:read");
    const den = slack.workspace.channel("den").id;
    expect(await refusal(slackClient(slack, "gamma").conversations.info({ channel: den }))).toBe("channel_not_found");
  });

  it("says who is an admin, a bot and a stranger", async () => {
    const { slack } = await openSlackTown();
    const client = slackClient(slack);
    const info = async (user: string) => (await client.users.info({ user })).user;

    expect(await info(slack.person("ann").id)).toMatchObject({
      name: "ann",
      is_owner: true,
      is_admin: true,
      is_bot: false,
    });
    expect(await info(slack.person("cleo").id)).toMatchObject({ is_owner: false, is_admin: false });
    expect(await info(slack.person("dora").id)).toMatchObject({ team_id: "T0AWAY", is_stranger: true });
    expect(await info(slack.workspace.app("gamma").userId)).toMatchObject({ is_bot: true });
    expect(await refusal(client.users.info({ user: "U0NOBODY" }))).toBe("user_not_found");
    const { appId, botId, userId } = slack.workspace.app("gamma");
    expect((await client.bots.info({ bot: botId })).bot).toMatchObject({ app_id: appId, user_id: userId });
  });

  it("opens the direct conversation with someone, the same one each time", async () => {
    const { slack } = await openSlackTown();
    const client = slackClient(slack);
    const users = slack.person("ann").id;

    const first = await client.conversations.open({ users });
    const second = await client.conversations.open({ users });

    expect(first.channel?.id).toMatch(/^D/);
    expect(second.channel?.id).toBe(first.channel?.id);
    expect(await client.conversations.members({ channel: first.channel?.id ?? "" })).toMatchObject({
      members: [slack.workspace.app("troupe").userId, users],
    });
  });
});
