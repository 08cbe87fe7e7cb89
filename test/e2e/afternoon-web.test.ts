import { describe, expect, it } from "vitest";
import { AFTERNOON } from "../scenarios/afternoon.js";
import { expectGoodEnd } from "../scenarios/good-end.js";
import { play } from "../scenarios/scenario.js";
import { startWebScenario } from "../scenarios/web-driver.js";

describe("The same afternoon in the web room", { timeout: 180_000 }, () => {
  it("accounts for every message, shows nothing twice, and reads like a conversation", async () => {
    const driver = await startWebScenario();

    const said = await play(driver, AFTERNOON);

    await expectGoodEnd(driver, said);
    const transcript = `${(await driver.transcript()).join("\n")}\n`;
    await expect(transcript).toMatchFileSnapshot("../scenarios/transcripts/web.txt");
  });
});
