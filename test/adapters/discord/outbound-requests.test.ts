import { describe, expect, it } from "vitest";
import { expectKnownRequests } from "../../fakes/discord/openapi.js";
import { ALPHA, idsOf, openOutbound } from "./outbound-harness.js";

const { signal } = new AbortController();

describe("everything that is asked of Discord on the way out", () => {
  it("is as Discord's own document has it", async () => {
    const { discord, post, outbound, session, drive, again, clock } = await openOutbound();
    const ann = discord.person("ann");
    const said = ann.say("general", "go", { files: [{ name: "a.txt", bytes: "a" }] });
    const inThread = { session: session("general", said.id), replyTo: said.id };
    const view = { text: "Paused.", buttons: [{ action: "troupe:resume", value: "v".repeat(200), label: "Resume" }] };
    const body = { kind: "view", view } as const;

    const persona = await post("Hi.", inThread);
    const notice = await post(body, { id: "n1", ...inThread });
    const text = { kind: "text", text: "Hi!" } as const;
    await again().edit({ id: "e1", part: 0, identity: ALPHA, body: text, ...inThread }, idsOf(persona), signal);
    await outbound.edit({ id: "n1", part: 0, body, ...inThread }, [...idsOf(notice), "0"], signal);
    discord.admin.archive(said.id);
    await outbound.edit({ id: "n1", part: 0, body, ...inThread }, [...idsOf(notice), ...idsOf(notice)], signal);
    await drive(outbound.find({ id: "e9", part: 0, identity: ALPHA, body: text, ...inThread }, signal));
    for (const { id } of [...discord.workspace.webhooks.values()]) discord.workspace.webhooks.delete(id);
    await post("Again.", { id: "e2" });
    await outbound.ephemeral(session(), ann.id, { text: "Psst." });
    await outbound.typing(session(), ALPHA, true);
    await clock.advance(700);
    await discord.recorder.until(() => discord.typings.length === 1);
    const attachment = discord.workspace.channel("general").messages[0]?.attachments[0]?.id;
    const ref = `${said.channel}/${said.id}/${attachment}`;
    expect(await outbound.download({ name: "a.txt", type: "text/plain", size: 1, ref }, 10, signal)).toBeDefined();

    const asked = new Set(discord.recorder.requests.map(({ method }) => method));
    expect([...asked].toSorted()).toEqual([
      "create_message",
      "create_thread_from_message",
      "create_webhook",
      "delete_message",
      "execute_webhook",
      "get_message",
      "list_channel_webhooks",
      "list_messages",
      "trigger_typing_indicator",
      "update_channel",
      "update_message",
      "update_webhook_message",
    ]);
    expectKnownRequests(discord);
  });
});
