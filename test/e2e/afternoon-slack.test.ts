import { describe, expect, it } from "vitest";
import { AFTERNOON } from "../scenarios/afternoon.js";
import { expectGoodEnd } from "../scenarios/good-end.js";
import { play } from "../scenarios/scenario.js";
import { startSlackScenario } from "../scenarios/slack-driver.js";

describe("An afternoon in a Slack workspace", { timeout: 180_000 }, () => {
  it("accounts for every message, shows nothing twice, and reads like a conversation", async () => {
    const driver = await startSlackScenario();

    const said = await play(driver, AFTERNOON);

    await expectGoodEnd(driver, said);
    const transcript = `${(await driver.transcript()).join("\n")}\n`;
    await expect(transcript).toMatchFileSnapshot("../scenarios/transcripts/slack.txt");
  });
});
