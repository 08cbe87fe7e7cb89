import { RequestMethod } from "discord.js";
import { describe, expect, it } from "vitest";
import { createDownload } from "../../../adapters/discord/outbound/files.js";
import type { Caller } from "../../../adapters/discord/outbound/rest.js";
import type { FileRef } from "../../../src/index.js";
import { quietLogger } from "../../support/rooms.js";
import { type OutboundTown, openOutbound } from "./outbound-harness.js";

const { signal } = new AbortController();

/** A file that ann has sent, as it is known to the engine. */
function sent({ discord }: OutboundTown, bytes = "content"): FileRef {
  const said = discord.person("ann").say("general", "look", { files: [{ name: "a.txt", bytes }] });
  const attachment = discord.workspace.channel("general").messages.at(-1)?.attachments[0];
  return {
    name: "a.txt",
    type: "text/plain",
    size: bytes.length,
    ref: `${said.channel}/${said.id}/${attachment?.id}`,
  };
}

describe("a file that came with a message", () => {
  it("is fetched by its message, without the token", async () => {
    const town = await openOutbound();

    const bytes = await town.outbound.download(sent(town), 1_000, signal);

    expect(new TextDecoder().decode(bytes)).toBe("content");
    expect(town.discord.cdn.downloads).toEqual([expect.objectContaining({ authorization: undefined, status: 200 })]);
  });

  it("is not there when it is larger than allowed, when it is gone, and when its message is", async () => {
    const town = await openOutbound();
    const large = sent(town, "x".repeat(2_000));
    expect(await town.outbound.download(large, 1_999, signal)).toBeUndefined();
    const gone = sent(town);
    town.discord.cdn.expire();
    expect(await town.outbound.download(gone, 1_000, signal)).toBeUndefined();
    for (const ref of ["", "x/y/z", "1/2/3", gone.ref.replace(/\d+$/, "3")])
      expect(await town.outbound.download({ ...gone, ref }, 1_000, signal)).toBeUndefined();
  });

  it("without an end is given up when it is too large", async () => {
    const town = await openOutbound();
    const file = sent(town);
    town.discord.cdn.fail("endless");

    expect(await town.outbound.download(file, 10_000, signal)).toBeUndefined();
  });

  it("can be asked for again when Discord cannot be reached or does not answer in time", async () => {
    const town = await openOutbound();
    const file = sent(town);
    town.discord.cdn.fail("drop");
    await expect(town.outbound.download(file, 1_000, signal)).rejects.toMatchObject({ retryable: true });

    town.discord.cdn.fail("hang");
    const hanging = town.outbound.download(file, 1_000, signal);
    const refused = expect(hanging).rejects.toMatchObject({ retryable: true });
    await town.discord.recorder.until(() => town.discord.cdn.downloads.length === 2);
    await town.clock.advance(60_000);
    await refused;

    town.discord.faults.add({ method: "get_message", fault: { kind: "drop" } });
    await expect(town.outbound.download(file, 1_000, signal)).rejects.toMatchObject({ retryable: true });
    expect(await town.outbound.download(file, 1_000, signal)).toBeDefined();
  });

  it("is not fetched from other hosts than Discord's own", async () => {
    const { clock } = await openOutbound();
    const asked: unknown[] = [];
    const urls = [
      "http://127.0.0.1:1/a",
      "https://cdn.discordapp.com.example/a",
      "http://cdn.discordapp.com/a",
      "nonsense",
    ];
    for (const url of urls) {
      const call: Caller = async (one) => {
        asked.push(one.method);
        return { ok: true, data: { attachments: [{ id: "3", url }] } };
      };
      const download = createDownload({ call, apiUrl: undefined, clock, logger: quietLogger });

      expect(await download({ name: "a", type: "text/plain", size: 1, ref: "1/2/3" }, 10, signal)).toBeUndefined();
    }
    expect(asked).toEqual(urls.map(() => RequestMethod.Get));
  });
});
