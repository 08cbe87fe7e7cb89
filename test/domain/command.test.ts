import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSlashCommand, parseCommand, textAfter } from "../../src/domain/command.js";

describe("the words of a command", () => {
  it.each([
    ["agent room", { name: "room", args: [] }],
    ["room", { name: "room", args: [] }],
    ["AGENT Budget 4", { name: "budget", args: ["4"] }],
    ["agent", { name: "help", args: [] }],
    ["  agent   add  alpha beta ", { name: "add", args: ["alpha", "beta"] }],
    ["agent frobnicate now", { name: "frobnicate", args: ["now"] }],
    ["task add Write it", { name: "task", args: ["add", "Write", "it"] }],
    ["Schedule list", { name: "schedule", args: ["list"] }],
    ['task add "two words" x', { name: "task", args: ["add", "two words", "x"] }],
    ['task add "to the end', { name: "task", args: ["add", "to the end"] }],
    ['task add ""', { name: "task", args: ["add", ""] }],
  ])("%j are read as %j", (text, command) => {
    expect(parseCommand(text)).toMatchObject(command);
  });

  it.each([
    ["schedule add x", 1, "x"],
    ['schedule once x 1m alpha Say "hi"\n  to all', 4, 'Say "hi"\n  to all'],
    ['schedule once x "1 m" alpha "quoted as a whole"', 4, "quoted as a whole"],
    ["schedule list", 3, ""],
  ])("%j keeps what stands behind the words as it was typed", (text, words, rest) => {
    expect(textAfter(parseCommand(text)?.text ?? "", words)).toBe(rest);
  });

  it.each(["", "   ", "hello there", "agents", "roomy"])("%j are no command", (text) => {
    expect(parseCommand(text)).toBeUndefined();
  });

  it("are read from every text without failing", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const command = parseCommand(`agent ${text}`);
        expect(command?.name).toBe(command?.name.toLowerCase());
      }),
    );
  });

  it("after a slash are told from a message that begins with one", () => {
    expect(["/agent room", "/AGENT", "/task add x", "/schedule"].map(isSlashCommand)).toEqual([true, true, true, true]);
    expect(["/agents", "agent room", "/etc/hosts", " /agent"].map(isSlashCommand)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
