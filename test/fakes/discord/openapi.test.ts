import { ApplicationCommandOptionType, Events, MessageFlags } from "discord.js";
import { beforeAll, describe, expect, it, type TestContext } from "vitest";
import { readyClient, textChannel } from "../../support/discord-client.js";
import { openDiscordTown } from "../../support/discord-town.js";
import { type CheckedRequest, type Contract, createContract, expectKnownRequests } from "./openapi.js";
import { openapiExcuse, openapiPath, readOpenapi } from "./openapi-document.js";
import type { Json } from "./wire.js";

const excuse = openapiExcuse();
let contract: Contract | undefined;
beforeAll(() => {
  if (excuse === undefined) contract = createContract(readOpenapi());
});

/** The judge, or the end of the test where Discord's document is not at hand. */
function judge(context: TestContext): Contract {
  if (!contract) context.skip(excuse);
  return contract ?? { complaints: () => [] };
}

const ID = "123456789012345678";
const call = (verb: string, path: string, body?: Json, query: Record<string, string> = {}): CheckedRequest => ({
  verb,
  path,
  query,
  body,
});
const post = (body: Json) => call("POST", `/webhooks/${ID}/secret`, body, { wait: "true" });

describe("the contract with Discord", () => {
  it("holds for what discord.js sends on an ordinary day", async (context) => {
    judge(context);
    const { discord } = await openDiscordTown();
    const client = await readyClient(discord);
    const general = await textChannel(client, discord.workspace.channel("general").id);

    const webhook = await general.createWebhook({ name: "troupe" });
    const allowedMentions = { parse: [] };
    const sent = await webhook.send({
      content: "hello",
      username: "Alpha",
      files: [{ attachment: Buffer.from("x"), name: "a.txt" }],
      allowedMentions,
    });
    await webhook.editMessage(sent.id, { content: "hello again", allowedMentions });
    await general.sendTyping();
    const said = await general.send({ content: "as myself", nonce: "abc", enforceNonce: true, allowedMentions });
    await said.edit({ content: "as myself again", allowedMentions });
    await said.reply({ content: "to myself", allowedMentions });
    await said.startThread({ name: "talk" });
    await general.messages.fetch({ limit: 10, after: sent.id });
    await client.application.commands.set(
      [
        {
          name: "agent",
          description: "Agents",
          defaultMemberPermissions: "32",
          contexts: [0],
          integrationTypes: [0],
          options: [{ type: 1, name: "why", description: "Why" }],
        },
      ],
      discord.workspace.guild("home").id,
    );
    await webhook.deleteMessage(sent.id);

    expect(discord.recorder.requests.map((it) => it.outcome)).toEqual(discord.recorder.requests.map(() => "ok"));
    expectKnownRequests(discord);
  });

  it("holds for answers to commands, to typing and to buttons", async (context) => {
    judge(context);
    const { discord } = await openDiscordTown();
    const client = await readyClient(discord);
    const options = [
      { type: ApplicationCommandOptionType.String, name: "who", description: "Who", autocomplete: true },
    ] as const;
    await client.application.commands.set([{ name: "agent", description: "Agents", options }]);
    client.on(Events.InteractionCreate, async (came) => {
      if (came.isAutocomplete()) await came.respond([{ name: "Alpha", value: "alpha" }]);
      if (came.isButton()) await came.update({ content: "done", components: [] });
      if (!came.isChatInputCommand()) return;
      await came.deferReply({ flags: MessageFlags.Ephemeral });
      await came.editReply({ content: "ok", allowedMentions: { parse: [] } });
      const row = { type: 1, components: [{ type: 2, style: 1, label: "Stop", custom_id: "stop" }] };
      await came.followUp({ content: "talking", components: [row], allowedMentions: { parse: [] } });
    });
    const ann = discord.person("ann");

    ann.autocomplete("general", "agent", "who:al");
    ann.command("general", "agent", "who:alpha");
    await discord.recorder.until(() => discord.transcript("general").length === 1);
    ann.press(ann.sees("general", "Stop"));
    const isAnswered = () => discord.interactions.all.every((it) => it.callback);
    await discord.recorder.until(isAnswered);

    expectKnownRequests(discord);
  });

  it("is broken by a text that is too long, also in an edit", (context) => {
    const { complaints } = judge(context);

    expect(complaints(post({ content: "x".repeat(2000) }))).toEqual([]);
    expect(complaints(post({ content: "x".repeat(2001) }))).toEqual([expect.stringContaining("2000")]);
    const edit = call("PATCH", `/webhooks/${ID}/secret/messages/@original`, { content: "x".repeat(2001) });
    expect(complaints(edit)).toEqual([expect.stringContaining("2000")]);
  });

  it("is broken by a custom id that is too long", (context) => {
    const { complaints } = judge(context);
    const withButton = (custom_id: string) =>
      call("POST", `/channels/${ID}/messages`, {
        content: "x",
        components: [{ type: 1, components: [{ type: 2, style: 1, label: "Resume", custom_id }] }],
      });

    expect(complaints(withButton("x".repeat(100)))).toEqual([]);
    expect(complaints(withButton("x".repeat(101)))).toContainEqual(expect.stringContaining("100"));
  });

  it("is broken by a nonce in the post of a webhook, which would do nothing there", (context) => {
    const { complaints } = judge(context);

    expect(complaints(post({ content: "x", enforce_nonce: false }))).toEqual([]);
    expect(complaints(post({ content: "x", nonce: "1" }))).toEqual(['the name "nonce" is unknown']);
    expect(complaints(post({ content: "x", enforce_nonce: true }))).toEqual(['the name "enforce_nonce" is unknown']);
  });

  it("is broken by a misspelt name, however deep, and by a query that does not exist", (context) => {
    const { complaints } = judge(context);

    expect(complaints(post({ content: "x", usernam: "Alpha" }))).toEqual(['the name "usernam" is unknown']);
    const embeds = [{ title: "x", footer: { txt: "y" } }];
    expect(complaints(post({ embeds }))).toContainEqual('the name "embeds.0.footer.txt" is unknown');
    const query = { wait: "true", thread: ID };
    expect(complaints(call("POST", `/webhooks/${ID}/secret`, { content: "x" }, query))).toEqual([
      'the query "thread" is unknown',
    ]);
  });

  it("is broken by the name of a webhook's post that is too long, and by a call that does not exist", (context) => {
    const { complaints } = judge(context);

    expect(complaints(post({ content: "x", username: "x".repeat(81) }))).toEqual([expect.stringContaining("80")]);
    expect(complaints(call("GET", "/channel/1"))).toEqual(["there is no such operation"]);
  });

  it("has to be checked in CI, and may be left unchecked elsewhere where the document is absent", () => {
    const absent = { DISCORD_OPENAPI: "/nowhere/discord.json" };

    expect(openapiExcuse(absent)).toContain("/nowhere/discord.json");
    expect(() => openapiExcuse({ ...absent, CI: "true" })).toThrow("has to run in CI");
    expect(openapiPath({})).toMatch(/shared[/\\]data[/\\]discord-openapi\.json$/);
  });
});
