import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readPersonas } from "../../src/config/personas.js";
import { createProject, persona } from "../config/project.js";
import { scripted, startRooms } from "../support/rooms.js";

const SAID = "Ann: @alpha go";

/** A room in which alpha says this once and beta answers whatever wakes it. */
async function agentSays(text: string): Promise<readonly string[]> {
  const rooms = await startRooms({
    personas: [scripted("alpha", text), scripted("beta", "beta here"), scripted("gamma", "gamma here")],
  });
  await rooms.say("@alpha go");
  await rooms.quiet();
  return rooms.lines();
}

describe("mentions", () => {
  it.each(["npm i @beta/core", "https://x.y/@beta", "ops@beta.dev"])(
    "case 10: package names, URLs and e-mail addresses arrive unchanged and wake nobody: %s",
    async (text) => {
      expect(await agentSays(text)).toEqual([SAID, `Alpha: ${text}`]);
    },
  );

  it.each(["```\n@beta\n```", "```\n@beta", "`@beta`", "> @beta said so", "So:\n\n    @beta"])(
    "case 11: a mention only in code or in a quoted line wakes nobody, and one live mention beside it wakes once: %j",
    async (text) => {
      expect(await agentSays(text)).toHaveLength(2);
      expect(await agentSays(`@beta look:\n\n${text}`)).toEqual([SAID, expect.anything(), "Beta: beta here"]);
    },
  );

  it("case 12: a person's live mention wakes once; an empty message, or a mention only in a quote or in preformatted text, does not", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "alpha here")] });

    for (const text of ["", "> @alpha", "```\n@alpha\n```"]) await rooms.say(text);
    await rooms.say("@alpha");

    expect((await rooms.lines()).filter((line) => line.startsWith("Alpha"))).toEqual(["Alpha: alpha here"]);
  });

  it.each(["@beta.", "Thanks, @Beta, go on", "(@beta)", "**@beta**", "@beta's turn", "@beta/@gamma", "@BETA!"])(
    "case 13: a plain mention in an agent's words wakes the first that is meant, in any case: %s",
    async (text) => {
      expect(await agentSays(text)).toEqual([SAID, `Alpha: ${text}`, "Beta: beta here"]);
    },
  );

  it("case 14: a name that begins like another reaches only its own persona", async () => {
    const rooms = await startRooms({ personas: [scripted("rev", "rev here"), scripted("reviewer", "reviewer here")] });

    await rooms.say("@reviewer please");
    await rooms.say("@rev please");

    expect((await rooms.lines()).filter((line) => !line.startsWith("Ann"))).toEqual([
      "Reviewer: reviewer here",
      "Rev: rev here",
    ]);
  });

  it("case 14: two personas cannot share a name: the configuration is refused", async () => {
    const project = createProject({
      "personas/a.md": persona("rev"),
      "personas/b.md": persona("reviewer", "display_name: Rev\n"),
    });
    onTestFinished(project.remove);
    const models = { access: {}, missingAccess: "warning" } as const;

    const { problems } = await readPersonas({ dir: join(project.dir, "personas"), cwd: project.dir, models });

    expect(problems.map(({ message }) => message).join("\n")).toMatch(/already taken/);
  });
});
