import { describe, expect, it } from "vitest";
import type { FileRef } from "../../../src/index.js";
import type { SlackFile } from "../../fakes/slack/model.js";
import { openOutbound } from "./outbound-harness.js";

const signal = new AbortController().signal;

async function openFiles() {
  const town = await openOutbound();
  const ann = town.slack.person("ann").id;
  const refOf = ({ id, name, mimetype, bytes }: SlackFile): FileRef => ({
    ref: id,
    name,
    type: mimetype,
    size: bytes.byteLength,
  });
  const add = (seed: Parameters<typeof town.slack.files.add>[0]) => refOf(town.slack.files.add(seed, ann));
  return { ...town, add, download: (file: FileRef, most = 1_000) => town.outbound.download(file, most, signal) };
}

describe("a file", () => {
  it("is fetched with the token, up to its limit", async () => {
    const { slack, add, download } = await openFiles();
    const file = add({ name: "a.png", bytes: "x".repeat(1_000) });

    expect((await download(file))?.byteLength).toBe(1_000);
    expect(await download(file, 999)).toBeUndefined();
    expect(await download({ ...file, ref: "F0GONE" })).toBeUndefined();
    expect(slack.files.downloads.every(({ host, token }) => host === "slack" && token === "troupe")).toBe(true);
  });

  it("on another host is not asked for, and a redirect there is not followed", async () => {
    const { slack, add, download } = await openFiles();

    expect(await download(add({ name: "b.png", bytes: "x", isExternal: true }))).toBeUndefined();
    expect(await download(add({ name: "c.png", bytes: "x", redirectsAway: true }))).toBeUndefined();

    expect(slack.files.downloads.filter(({ host }) => host === "foreign")).toEqual([]);
  });

  it("that the app may not read is not taken for its sign-in page, and an admin is told once", async () => {
    const { slack, add, download, hints } = await openFiles();
    slack.workspace.app("troupe").scopes.delete("files:read");
    const file = add({ name: "a.png", bytes: "x" });

    expect(await download(file)).toBeUndefined();
    expect(await download(file)).toBeUndefined();
    expect(hints).toEqual([expect.stringContaining("files:read")]);
  });

  it("is given up with its turn, and is an error when Slack cannot be reached", async () => {
    const { slack, add, outbound, download } = await openFiles();
    const file = add({ name: "a.png", bytes: "x" });

    await expect(outbound.download(file, 10, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
    slack.faults.add({ method: "files.info", times: 9, fault: { kind: "status", status: 503 } });
    await expect(download(file)).rejects.toMatchObject({ code: "platform_failed", retryable: true });
  });
});
