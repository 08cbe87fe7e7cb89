import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isSigned, type Signed } from "../../../adapters/slack/receiver/signature.js";

const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const NOW = 1_700_000_000_000;
const SECONDS = NOW / 1_000;

function signed(body: string, timestamp: string, secret = SECRET): Signed {
  const digest = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
  return { body, timestamp, signature: `v0=${digest}` };
}

describe("Slack's signature", () => {
  it("holds for the body, the time and the secret that it was made of, for five minutes", () => {
    expect(isSigned(signed("{}", String(SECONDS)), SECRET, NOW)).toBe(true);
    expect(isSigned(signed("{}", String(SECONDS - 300)), SECRET, NOW)).toBe(true);
    expect(isSigned(signed("ü 👍", String(SECONDS)), SECRET, NOW)).toBe(true);
  });

  it.each<[string, Signed]>([
    ["another body", { ...signed("{}", String(SECONDS)), body: "{} " }],
    ["another time", { ...signed("{}", String(SECONDS)), timestamp: String(SECONDS - 1) }],
    ["another secret", signed("{}", String(SECONDS), "another")],
    ["an old time", signed("{}", String(SECONDS - 301))],
    ["no time", signed("{}", "")],
    ["a time that is no number", signed("{}", "now")],
    ["no signature", { ...signed("{}", String(SECONDS)), signature: "" }],
    [
      "half a signature",
      { ...signed("{}", String(SECONDS)), signature: signed("{}", String(SECONDS)).signature.slice(0, -2) },
    ],
    [
      "another version",
      { ...signed("{}", String(SECONDS)), signature: signed("{}", String(SECONDS)).signature.replace("v0", "v1") },
    ],
  ])("does not hold for %s", (_, request) => {
    expect(isSigned(request, SECRET, NOW)).toBe(false);
  });
});
