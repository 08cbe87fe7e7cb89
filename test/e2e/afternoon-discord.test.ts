import { describe, expect, it } from "vitest";
import { AFTERNOON } from "../scenarios/afternoon.js";
import { startDiscordScenario } from "../scenarios/discord-driver.js";
import { expectGoodEnd } from "../scenarios/good-end.js";
import { play } from "../scenarios/scenario.js";

describe("The same afternoon in a Discord server", { timeout: 300_000 }, () => {
  it("accounts for every message, shows nothing twice, and reads like a conversation", async () => {
    const driver = await startDiscordScenario();

    const said = await play(driver, AFTERNOON);

    await expectGoodEnd(driver, said);
    const transcript = `${(await driver.transcript()).join("\n")}\n`;
    await expect(transcript).toMatchFileSnapshot("../scenarios/transcripts/discord.txt");
  });
});
