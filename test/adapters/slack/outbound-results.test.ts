import { webApi } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { failureOf, resultOf } from "../../../adapters/slack/outbound/results.js";

const refused = (error: string, more: object = {}) => new webApi.WebAPIPlatformError({ ok: false, error, ...more });
const network = (code: string) =>
  new webApi.WebAPIRequestError(new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) }));

describe("what Slack's package throws", () => {
  it.each([
    ["a broken connection", network("ECONNRESET"), { status: "ambiguous" }],
    [
      "no answer in time",
      new webApi.WebAPIRequestError(new DOMException("too late", "TimeoutError")),
      { status: "ambiguous" },
    ],
    ["an answer that breaks off", new TypeError("terminated"), { status: "ambiguous" }],
    ["an answer that is no JSON", refused('{"ok": tr'), { status: "ambiguous" }],
    [
      "a server error",
      new webApi.WebAPIHTTPError(502, "", {}),
      { status: "ambiguous", reason: expect.stringContaining("502") },
    ],
    ["a wrong address", new webApi.WebAPIHTTPError(404, "", {}), { status: "rate-limited" }],
    ["no connection at all", network("ECONNREFUSED"), { status: "rate-limited", retryAfterMs: 15_000 }],
    ["a name that is not found", network("ENOTFOUND"), { status: "rate-limited" }],
    ["a rate limit", new webApi.WebAPIRateLimitedError(7), { status: "rate-limited", retryAfterMs: 7_000 }],
    [
      "a rate limit of unknown length",
      new Error("Retry header did not contain a valid timeout"),
      { status: "rate-limited" },
    ],
    ["a worthless token", refused("invalid_auth"), { status: "rate-limited", retryAfterMs: 60_000 }],
    [
      "a missing scope",
      refused("missing_scope", { needed: "chat:write" }),
      { status: "rejected", retry: false, reason: expect.stringContaining("chat:write") },
    ],
    [
      "refused arguments",
      refused("invalid_arguments", { response_metadata: { messages: ["[ERROR] must be a string"] } }),
      { status: "rejected", retry: false, reason: "Slack refused it (invalid_arguments): [ERROR] must be a string" },
    ],
    [
      "a refusal without more",
      refused("some_new_error"),
      { status: "rejected", retry: false, reason: "Slack refused it (some_new_error)" },
    ],
  ])("is told as what it is: %s", (_, error, expected) => {
    expect(resultOf(failureOf(error))).toMatchObject(expected);
  });
});
