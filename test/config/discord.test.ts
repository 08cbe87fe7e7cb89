import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { formatProblem } from "../../src/config/problem.js";
import { secretsOf } from "../../src/from-config.js";
import { createProject, type Project, persona } from "./project.js";

const TOKEN = `${Buffer.from("300000000000000001").toString("base64url")}.troupe.secret`;

const projects: Project[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

function projectOf(files?: Readonly<Record<string, string>>): Project {
  const project = createProject(files);
  projects.push(project);
  return project;
}

async function said(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return (await projectOf().problems({ env })).map(formatProblem);
}

describe("Discord in the configuration", () => {
  it("takes no part without its token, whatever the file says", async () => {
    const { discord, warnings } = await projectOf({ "troupe.yaml": "discord: {}" }).load();

    expect(discord).toEqual({ apiUrl: "https://discord.com/api", roles: new Set() });
    expect(warnings).toEqual([]);
  });

  it("takes part with its token, which counts as a secret", async () => {
    const config = await projectOf().load({ env: { DISCORD_TOKEN: TOKEN } });

    expect(config.discord.token).toBe(TOKEN);
    expect(secretsOf(config)).toContain(TOKEN);
  });

  it("reads the token from a file that DISCORD_TOKEN_FILE names", async () => {
    const project = projectOf({ "secrets/discord": `${TOKEN}\n` });

    const { discord } = await project.load({ env: { DISCORD_TOKEN_FILE: join(project.dir, "secrets/discord") } });

    expect(discord.token).toBe(TOKEN);
  });

  it("takes another address of the API, with or without a slash at its end", async () => {
    const { discord } = await projectOf().load({ env: { DISCORD_API_URL: "http://127.0.0.1:8080/api/" } });

    expect(discord.apiUrl).toBe("http://127.0.0.1:8080/api");
  });

  it("refuses an address with a version, and says what to write", async () => {
    expect(await said({ DISCORD_API_URL: "https://discord.com/api/v10" })).toEqual([
      expect.stringMatching(/without the version.*DISCORD_API_URL.*https:\/\/discord\.com\/api$/),
    ]);
  });

  it.each([
    ["a token of Slack", "xoxb-1-main", /a token of Slack's/],
    ["the application's id", "300000000000000001", /an application's or a user's id/],
    ["the public key", "0123456789abcdef".repeat(4), /the application's public key/],
    ["the client secret", "abcdefghijklmnopqrstuvwxyz_-0123", /the application's client secret/],
    ["a webhook's address", "https://discord.com/api/webhooks/1/x", /holds an address/],
    ["a person's token", "mfa.abcdefghijk", /a person's account/],
    ["a token of another service", "eyJhbGciOi.eyJzdWIi.c2ln", /a token of another service/],
    ["anything else", "hello", /no token of a bot/],
  ])("names %s in the token's place, without showing it", async (_, token, pattern) => {
    const problems = await said({ DISCORD_TOKEN: token });

    expect(problems).toEqual([expect.stringMatching(pattern)]);
    expect(problems[0]).toContain("page Bot");
    expect(problems[0]).not.toContain(token);
  });

  it("asks to leave out the word Bot in front of the token", async () => {
    expect(await said({ DISCORD_TOKEN: `Bot ${TOKEN}` })).toEqual([
      expect.stringMatching(/DISCORD_TOKEN.*leave out the word in front of the token/),
    ]);
  });

  it("never takes the token from the file", async () => {
    const problems = await projectOf({ "troupe.yaml": `discord: { token: ${TOKEN} }` }).problems();

    expect(problems.map(formatProblem)).toEqual([expect.stringMatching(/secrets are never read from this file/)]);
  });

  it("has admins and rooms by Discord's ids", async () => {
    const file =
      'admins: { discord: ["200"] }\nrooms: { overrides: { "discord:900:901": { host: alpha, wake: always } } }';

    const { admins, rooms } = await projectOf({ "troupe.yaml": file }).load();

    expect(admins).toEqual({ discord: ["200"] });
    expect([...rooms.overrides]).toEqual([["discord:900:901", { host: "alpha", wake: "always" }]]);
  });
});

describe("A persona's role on Discord", () => {
  it("is wished for in its file", async () => {
    const project = projectOf({
      "personas/alpha.md": persona("alpha", "discord: { role: true }\n"),
      "personas/beta.md": persona("beta", "discord: { role: false }\n"),
      "personas/gamma.md": persona("gamma"),
      "troupe.yaml": "",
    });

    expect((await project.load()).discord.roles).toEqual(new Set(["alpha"]));
  });

  it.each(["discord: { role: yes please }", "discord: role"])("is refused in another form: %s", async (line) => {
    const project = projectOf({ "personas/alpha.md": persona("alpha", `${line}\n`), "troupe.yaml": "" });

    expect((await project.problems()).map(formatProblem)).toEqual([
      expect.stringMatching(/^personas\/alpha\.md:3:\d+: must be .*discord/),
    ]);
  });
});
