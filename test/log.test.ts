import { describe, expect, it } from "vitest";
import type { LogLevel } from "../src/config/loaded.js";
import { createLogger } from "../src/log.js";

const SECRET = 'a "quoted" secret';

function logged(level: LogLevel, isTTY: boolean, log: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = "";
  const output = {
    isTTY,
    write(line: string) {
      text += line;
    },
  };
  log(createLogger({ level, secrets: [SECRET, "warn", ""], output }));
  return text;
}

function failure(): Error {
  const cause = Object.assign(new Error("the disk is gone"), { code: "EIO" });
  return new Error("could not write", { cause });
}

describe("The log", () => {
  it("has one JSON object a line with time, level, fields and message", () => {
    const text = logged("info", false, (logger) => logger.child({ room: "a:b:c" }).warn({ count: 2 }, "something"));

    expect(text.endsWith("\n")).toBe(true);
    expect(JSON.parse(text)).toEqual({
      level: "warn",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      room: "a:b:c",
      count: 2,
      msg: "something",
    });
  });

  it("says what failed and why, with the stack only at debug", () => {
    const atInfo = JSON.parse(logged("info", false, (logger) => logger.error({ error: failure() }, "failed")));
    const atDebug = JSON.parse(logged("debug", false, (logger) => logger.error({ err: failure() }, "failed")));

    expect(atInfo.error).toEqual({
      name: "Error",
      message: "could not write",
      cause: { name: "Error", code: "EIO", message: "the disk is gone" },
    });
    expect(atDebug.err.stack).toContain("log.test.ts");
  });

  it("blots out secrets wherever they slip in", () => {
    const text = logged("info", false, (logger) => {
      logger.info({ header: `Bearer ${SECRET}`, error: new Error(`refused ${SECRET}`) }, "asked");
    });

    expect(text).not.toContain("quoted");
    expect(JSON.parse(text)).toMatchObject({ header: "Bearer [secret]", error: { message: "refused [secret]" } });
  });

  it("is a line for people on a terminal, which nothing in it can drive", () => {
    const text = logged("info", true, (logger) => logger.warn({ name: "red\u009b31m\u202e" }, "something"));

    expect(text).toMatch(/^\d\d:\d\d:\d\d warn {2}something \(name="red\\u\{9b\}31m\\u\{202e\}"\)\n$/);
  });

  it("leaves out what is below its level", () => {
    const text = logged("warn", false, (logger) => logger.info({}, "nobody hears this"));

    expect(text).toBe("");
  });
});
