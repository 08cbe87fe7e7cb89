import { describe, expect, it } from "vitest";
import { createProject, runCli } from "../support/cli.js";
import { openDiscordTown } from "../support/discord-town.js";

const TOKEN = `${Buffer.from("300000000000000001").toString("base64url")}.troupe.secret`;
const ROLE_FILE = { "personas/alpha.md": "---\nname: alpha\ndiscord: { role: true }\nscript: [{ say: Hi. }]\n---\n" };

const invite = (cwd: string, env: Readonly<Record<string, string>>) => runCli(["invite", "discord"], { cwd, env });

describe("troupe invite discord", () => {
  it("prints the link for the token's application and nothing else, without asking anybody", async () => {
    const env = { DISCORD_TOKEN: TOKEN, DISCORD_API_URL: "http://127.0.0.1:9/api" };

    expect(await invite(createProject(), env)).toEqual({
      code: 0,
      stdout:
        "https://discord.com/oauth2/authorize?client_id=300000000000000001&permissions=309774896192&scope=bot%20applications.commands\n",
      stderr: "",
    });
  });

  it("asks for the right to make roles where a persona wants one", async () => {
    const { stdout } = await invite(createProject({ ...ROLE_FILE, "troupe.yaml": "" }), { DISCORD_TOKEN: TOKEN });

    expect(stdout).toContain("permissions=310043331648&");
  });

  it("fails with the mend without a token, and with one of the wrong kind", async () => {
    const none = await invite(createProject(), {});
    const slack = await invite(createProject(), { DISCORD_TOKEN: "xoxb-1-main" });

    expect([none.code, none.stdout, slack.code, slack.stdout]).toEqual([1, "", 1, ""]);
    expect(none.stderr).toMatch(/DISCORD_TOKEN is not set.*page Bot/);
    expect(slack.stderr).toMatch(/a token of Slack's/);
    expect(slack.stderr).not.toContain("xoxb-1-main");
  });

  it("asks Discord for an application that the token does not show", async () => {
    const { discord } = await openDiscordTown();
    const app = discord.workspace.addApp({ name: "odd", token: "odd.token.here" });

    const { stdout } = await invite(createProject(), { DISCORD_TOKEN: app.token, DISCORD_API_URL: discord.apiUrl });

    expect(stdout).toContain(`client_id=${app.id}&`);
  });

  it("knows no other platform", async () => {
    expect(await runCli(["invite", "slack"], { cwd: createProject() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("discord"),
    });
  });
});
