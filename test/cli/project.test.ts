import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProject, runCli, scriptedPersona } from "../support/cli.js";

describe("troupe init", () => {
  it("writes a project that passes the check as it is", async () => {
    const project = createProject();

    const made = await runCli(["init", "team"], { cwd: project });
    const checked = await runCli(["check", "--config", "team/troupe.yaml"], { cwd: project });

    expect(made.code).toBe(0);
    expect(made.stdout).toContain("wrote troupe.yaml\n");
    expect(made.stdout).toContain("troupe check --config team/troupe.yaml");
    expect(checked).toMatchObject({ code: 0, stderr: "" });
    expect(checked.stdout).toMatch(/^Ready: \d+ personas /);
  });

  it("leaves what is there as it is", async () => {
    const project = createProject({ "troupe.yaml": "team: ours\n" });

    const { code, stdout } = await runCli(["init"], { cwd: project });

    expect(code).toBe(0);
    expect(stdout).toContain("kept  troupe.yaml\n");
    expect(readFileSync(join(project, "troupe.yaml"), "utf8")).toBe("team: ours\n");
  });

  it("ends with 1 and the mend where it may not write", async () => {
    const project = createProject({ team: "a file, no folder" });

    const { code, stderr } = await runCli(["init", "team"], { cwd: project });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^troupe: .*team cannot be written .* name a folder that you may write to\n$/);
  });
});

describe("troupe check", () => {
  it("names what stands in the place of Discord's token, without showing it, and connects to nothing", async () => {
    const secret = "abcdefghijklmnopqrstuvwxyz_-0123";
    const env = { DISCORD_TOKEN: secret, DISCORD_API_URL: "http://127.0.0.1:9/api" };

    const wrong = await runCli(["check"], { cwd: createProject(), env });
    const good = await runCli(["check"], { cwd: createProject(), env: { ...env, DISCORD_TOKEN: "bot.token.here" } });

    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/holds the application's client secret \(DISCORD_TOKEN\) — set it to the token/);
    expect(wrong.stdout).not.toContain(secret);
    expect(good.code).toBe(0);
  });

  it("is content with no configuration at all", async () => {
    const { code, stdout } = await runCli(["check"], { cwd: createProject() });

    expect([code, stdout]).toEqual([0, "Ready: 2 personas (alpha, beta).\n"]);
  });

  it("prints every problem as file:line:column with the key and the mend, and ends with 1", async () => {
    const project = createProject({
      "troupe.yaml": "team: ours\nmulti_agent:\n  burst_budgt: 3\n",
      "personas/here.md": scriptedPersona("here", "say: hello"),
    });

    const { code, stdout } = await runCli(["check"], { cwd: project });

    expect(code).toBe(1);
    expect(stdout).toContain("troupe.yaml:3:3: is not a known key (multi_agent.burst_budgt) — did you mean ");
    expect(stdout).toMatch(/^personas\/here\.md:2:7: .*reserved/m);
    expect(stdout).toMatch(/^Not ready: 2 errors/m);
  });

  it("prints warnings and ends with 0", async () => {
    const project = createProject({
      "troupe.yaml": "",
      "personas/alpha.md": scriptedPersona("alpha", "say: hello").replace("name:", "colour: red\nname:"),
    });

    const { code, stdout } = await runCli(["check"], { cwd: project });

    expect(code).toBe(0);
    expect(stdout).toMatch(/^personas\/alpha\.md:2:1: warning: .*colour/m);
    expect(stdout).toMatch(/^Ready: 1 persona \(alpha\)\. 1 warning\.$/m);
  });

  it("gives the same as JSON, with the same exit code", async () => {
    const project = createProject({ "troupe.yaml": "taem: ours\n" });

    const { code, stdout } = await runCli(["check", "--json"], { cwd: project });

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      problems: [{ file: "troupe.yaml", line: 1, column: 1, key: "taem", severity: "error" }],
    });
  });

  it("never shows a secret", async () => {
    const env = { ANTHROPIC_API_KEY: "sk secret 0123456789", TROUPE_PORT: "many" };

    const { code, stdout, stderr } = await runCli(["check"], { cwd: createProject(), env });

    expect(code).toBe(1);
    expect(stdout).toContain("environment: ");
    expect(stdout + stderr).not.toContain("secret 0123456789");
  });
});

describe("troupe schema", () => {
  it.each(["config", "persona"])("prints the JSON Schema of the %s file", async (name) => {
    const { code, stdout } = await runCli(["schema", name], { cwd: createProject() });

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $schema: expect.stringContaining("json-schema.org"), type: "object" });
  });
});
