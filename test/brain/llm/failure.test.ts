import { describe, expect, it } from "vitest";
import { failureOf } from "../../../src/brain/llm/failure.js";

const MODEL = { provider: "openai", name: "gpt-5" } as const;
const NOW = Date.UTC(2026, 0, 5, 9, 0, 0);

function sorted(error: unknown) {
  return failureOf(error, MODEL, NOW);
}

describe("a model call's failure", () => {
  it.each<[string, unknown, string, boolean]>([
    [
      "a used up quota, which waiting does not mend",
      { statusCode: 429, responseBody: '{"code":"insufficient_quota"}' },
      "rate-limit",
      false,
    ],
    ["an overload told within a stream", { type: "overloaded_error", message: "Overloaded" }, "overloaded", true],
    ["a rate limit told within a stream", { type: "rate_limit_error", message: "slow down" }, "rate-limit", true],
    ["a key refused as a bad request", { statusCode: 400, message: "API key not valid" }, "auth", false],
    ["a forbidden model", { statusCode: 403 }, "auth", false],
    ["a request timeout", { statusCode: 408 }, "timeout", true],
    ["a body that is too large", { statusCode: 413 }, "context-overflow", false],
    ["an unprocessable request", { statusCode: 422 }, "bad-request", false],
    ["an unavailable server", { statusCode: 503 }, "overloaded", true],
    [
      "a connection cut in a stream",
      Object.assign(new TypeError("terminated"), { cause: { code: "UND_ERR_SOCKET" } }),
      "network",
      true,
    ],
    [
      "a refused connection some causes down",
      new Error("x", { cause: new Error("y", { cause: { code: "ECONNREFUSED" } }) }),
      "network",
      true,
    ],
    ["an unknown answer", Object.assign(new Error("x"), { name: "AI_TypeValidationError" }), "protocol", true],
    ["a mistake of ours", new RangeError("x"), "internal", false],
    ["a bare word", "rate limit reached", "rate-limit", true],
    ["nothing at all", undefined, "internal", false],
  ])("of the kind: %s", (_, error, reason, retryable) => {
    expect(sorted(error)).toMatchObject({ class: reason, retryable });
  });

  it("tells how long to wait, from seconds, milliseconds or a date", () => {
    const wait = (headers: Record<string, string>) =>
      sorted({ statusCode: 429, responseHeaders: headers }).retryAfterMs;

    expect(wait({ "retry-after": "90" })).toBe(90_000);
    expect(wait({ "retry-after-ms": "1500", "retry-after": "90" })).toBe(1_500);
    expect(wait({ "retry-after": new Date(NOW + 60_000).toUTCString() })).toBe(60_000);
    expect(wait({ "retry-after": "soon" })).toBeUndefined();
    expect(wait({})).toBeUndefined();
  });

  it("names the model and the variable to mend, and nothing of the answer", () => {
    const failure = sorted({ statusCode: 401, message: "Incorrect API key sk-abc", responseBody: "sk-abc" });

    expect(failure.safeMessage).toBe("the model openai:gpt-5 refused the key: check OPENAI_API_KEY.");
  });
});
