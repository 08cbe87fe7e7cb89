import { describe, expect, it } from "vitest";
import { refusal, slackClient } from "../../support/slack-bolt.js";
import { openSlackTown } from "../../support/slack-town.js";
import { isRecord, type Json, records } from "./wire.js";

async function open() {
  const town = await openSlackTown();
  const { slack } = town;
  const channel = slack.workspace.channel("general").id;
  return { ...town, channel, ann: slack.person("ann"), client: slackClient(slack) };
}

type Town = Awaited<ReturnType<typeof open>>;

function share({ ann }: Town, more = {}): Json {
  const seed = { name: "cat.png", bytes: "picture of a cat", ...more };
  const [delivery] = ann.say("general", "look", { files: [seed] }).deliveries;
  const event = isRecord(delivery?.body.event) ? delivery.body.event : {};
  return { ...event, file: records(event.files)[0] ?? {} };
}

describe("a file that someone shares", () => {
  it("comes with the message, and its bytes with a token that may read files", async () => {
    const town = await open();
    const { slack } = town;

    const event = share(town);
    const file = isRecord(event.file) ? event.file : {};
    const get = (token: string) =>
      fetch(String(file.url_private_download), { headers: { authorization: `Bearer ${token}` } });

    expect(event).toMatchObject({ subtype: "file_share", upload: true, text: "look" });
    expect(file).toMatchObject({ name: "cat.png", mimetype: "image/png", filetype: "png", size: 16, mode: "hosted" });
    const picture = await get(slack.workspace.app("troupe").token);
    expect([picture.headers.get("content-type"), await picture.text()]).toEqual(["image/png", "picture of a cat"]);
    const page = await get(slack.workspace.app("pager").token);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"]);
    expect(slack.files.downloads.map(({ token, status }) => [token, status])).toEqual([
      ["troupe", 200],
      ["pager", 200],
    ]);
  });

  it("may stand on a host that is not Slack's, or lead there, which notes who brings a token", async () => {
    const town = await open();
    const { slack } = town;
    const token = slack.workspace.app("troupe").token;
    const urlOf = (event: Json, name: string) => String(isRecord(event.file) ? event.file[name] : "");

    const linked = urlOf(share(town, { isExternal: true }), "url_private");
    const hosted = urlOf(share(town, { redirectsAway: true }), "url_private_download");
    await fetch(linked, { headers: { authorization: `Bearer ${token}` } });
    await fetch(linked);
    const answer = await fetch(hosted, { headers: { authorization: `Bearer ${token}` }, redirect: "manual" });

    expect(new URL(linked).host).not.toBe(new URL(slack.apiUrl).host);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, linked]);
    expect(slack.files.downloads).toMatchObject([
      { host: "foreign", token: "troupe" },
      { host: "foreign", token: undefined },
      { host: "slack", token: "troupe", status: 302 },
    ]);
  });

  it("may be named only by its id, to be looked up", async () => {
    const town = await open();

    const event = share(town, { isChecked: true });
    const file = isRecord(event.file) ? event.file : {};

    expect(file).toEqual({ id: expect.any(String), file_access: "check_file_info" });
    expect((await town.client.files.info({ file: String(file.id) })).file).toMatchObject({ name: "cat.png", size: 16 });
  });
});

describe("an upload", () => {
  it("takes three steps, and stands under a name of its own", async () => {
    const { slack, channel, client, ann } = await open();
    const root = ann.say("general", "send it");
    const announced = await client.files.getUploadURLExternal({ filename: "notes.md", length: 5 });
    const files: [{ id: string; title: string }] = [{ id: announced.file_id ?? "", title: "Notes" }];
    const complete = () =>
      client.apiCall("files.completeUploadExternal", {
        files,
        channel_id: channel,
        thread_ts: root.ts,
        username: "Alpha",
      });

    expect(await refusal(complete())).toBe("file_not_found");
    const sent = await fetch(announced.upload_url ?? "", { method: "POST", body: "# Hi\n" });
    expect(await sent.text()).toBe("OK - 5");
    await complete();

    expect(slack.transcript("general")).toEqual(["ann: send it", "  Alpha [APP]: [file: Notes]"]);
    const { ts } = slack.seen("general")[0]?.replies[0] ?? {};
    const info = await client.files.info({ file: files[0].id });
    expect(info.file?.shares?.public?.[channel]).toEqual([{ ts, thread_ts: root.ts }]);
  });

  it("by the SDK sends the bytes in a form and loses the name", async () => {
    const { slack, channel, client } = await open();

    await client.files.uploadV2({
      channel_id: channel,
      filename: "a.txt",
      file: Buffer.from("hello"),
      initial_comment: "here",
    });

    expect(slack.transcript("general")).toEqual(["Troupe [APP]: here\n[file: a.txt]"]);
    expect(
      Buffer.from(
        slack.files.find(String(slack.workspace.channel("general").messages[0]?.files?.[0]?.id))?.bytes ?? "",
      ).toString(),
    ).toBe("hello");
  });

  it("of another length than announced fails, and Markdown blocks break the last step", async () => {
    const { channel, client } = await open();
    const announced = await client.files.getUploadURLExternal({ filename: "a.txt", length: 5 });
    const put = (body: string) => fetch(announced.upload_url ?? "", { method: "POST", body });

    expect((await put("too long")).status).toBe(500);
    expect((await put("hello")).status).toBe(200);
    const blocks = [{ type: "markdown", text: "hi" }];
    const files = [{ id: announced.file_id }];
    expect(await refusal(client.apiCall("files.completeUploadExternal", { files, channel_id: channel, blocks }))).toBe(
      "internal_error",
    );
  });
});
