import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { formatProblem } from "../../src/config/problem.js";
import { secretsOf } from "../../src/from-config.js";
import { createProject, type Project, persona } from "./project.js";

const BOT = "xoxb-1-main";
const APP = "xapp-1-main";
const SECRET = "0123456789abcdef0123456789abcdef";
const SOCKET = { SLACK_BOT_TOKEN: BOT, SLACK_APP_TOKEN: APP };
const HTTP = { SLACK_BOT_TOKEN: BOT, SLACK_SIGNING_SECRET: SECRET, TROUPE_PUBLIC_URL: "https://troupe.example.org" };
const OWN_APP = persona("alpha", "slack: { token_env: ALPHA_SLACK_BOT_TOKEN }\n");

const projects: Project[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

function projectOf(files?: Readonly<Record<string, string>>): Project {
  const project = createProject(files);
  projects.push(project);
  return project;
}

async function said(project: Project, ...sources: Parameters<Project["problems"]>): Promise<readonly string[]> {
  return (await project.problems(...sources)).map(formatProblem);
}

describe("Slack in the configuration", () => {
  it("takes no part while the environment holds none of its secrets, whatever the file says", async () => {
    const { slack, catchUpMs } = await projectOf({ "troupe.yaml": "slack: { mode: http, pace: 0.5 }" }).load({
      env: { SLACK_API_URL: "https://slack-gov.com/api" },
    });

    expect(slack).toEqual({ mode: "http", pace: 0.5, apiUrl: "https://slack-gov.com/api/" });
    expect(catchUpMs).toBe(3_600_000);
  });

  it("goes over a socket with a bot token and an app-level token, at one post a second", async () => {
    const { slack } = await projectOf().load({ env: SOCKET });

    expect(slack).toEqual({
      mode: "socket",
      pace: 1,
      apiUrl: "https://slack.com/api/",
      tokens: { mode: "socket", botToken: BOT, appToken: APP, personaTokens: new Map() },
    });
  });

  it("goes over HTTP with a bot token and a signing secret", async () => {
    const { slack, warnings } = await projectOf().load({ env: HTTP });

    expect(slack.tokens).toEqual({ mode: "http", botToken: BOT, signingSecret: SECRET, personaTokens: new Map() });
    expect(warnings).toEqual([]);
  });

  it.each([
    ["the socket where nothing is said", "", "socket"],
    ["HTTP where the file asks for it", "slack: { mode: http }", "http"],
  ])("takes, with every secret at hand, %s", async (_, file, mode) => {
    const { slack } = await projectOf({ "troupe.yaml": file }).load({ env: { ...SOCKET, ...HTTP } });

    expect(slack.tokens?.mode).toBe(mode);
  });

  it("reads each secret from a file that NAME_FILE names", async () => {
    const project = projectOf({ "secrets/bot": `${BOT}\n`, "secrets/app": `${APP}\n` });

    const { slack } = await project.load({
      env: { SLACK_BOT_TOKEN_FILE: join(project.dir, "secrets/bot"), SLACK_APP_TOKEN_FILE: "secrets/app" },
    });

    expect(slack.tokens).toMatchObject({ botToken: BOT, appToken: APP });
  });

  it("warns where Slack's requests would come under a host name that is not ours", async () => {
    const { warnings } = await projectOf().load({ env: { ...HTTP, TROUPE_PUBLIC_URL: "" } });

    expect(warnings.map(({ key, severity }) => [key, severity])).toEqual([["web.public_url", "warning"]]);
  });
});

describe("A wrong setting of Slack", () => {
  it.each([
    [
      "a bot token alone",
      { SLACK_BOT_TOKEN: BOT },
      /^environment: is not set, though SLACK_BOT_TOKEN is \(SLACK_APP_TOKEN\) — .*xapp-….*connections:write/,
    ],
    [
      "an app-level token alone",
      { SLACK_APP_TOKEN: APP },
      /^environment: is not set, though another secret.* \(SLACK_BOT_TOKEN\) — .*OAuth & Permissions/,
    ],
    [
      "a signing secret alone",
      { SLACK_SIGNING_SECRET: SECRET, TROUPE_PUBLIC_URL: HTTP.TROUPE_PUBLIC_URL },
      /SLACK_BOT_TOKEN/,
    ],
    [
      "swapped tokens",
      { SLACK_BOT_TOKEN: APP, SLACK_APP_TOKEN: BOT },
      /^environment: and SLACK_APP_TOKEN are swapped \(SLACK_BOT_TOKEN\) — give each the value of the other$/,
    ],
    [
      "a user token as bot token",
      { ...SOCKET, SLACK_BOT_TOKEN: "xoxp-1-secret" },
      /holds a user token \(xoxp-…\), and must hold a bot token \(xoxb-…\) \(SLACK_BOT_TOKEN\)/,
    ],
    ["a token that expires", { ...SOCKET, SLACK_BOT_TOKEN: "xoxe.xoxb-1-secret" }, /made with token rotation/],
    ["a bot token as app-level token", { ...SOCKET, SLACK_APP_TOKEN: "xoxb-2-secret" }, /\(SLACK_APP_TOKEN\)/],
    ["something else as a token", { ...SOCKET, SLACK_BOT_TOKEN: "changeme-secret" }, /holds no token of Slack's/],
    ["a token as signing secret", { ...HTTP, SLACK_SIGNING_SECRET: APP }, /holds a token \(SLACK_SIGNING_SECRET\)/],
    ["an address that is none", { ...SOCKET, SLACK_API_URL: "slack.com/api?x" }, /\(SLACK_API_URL\)/],
  ])("is one problem that names the variable, never the value: %s", async (_, env, pattern) => {
    const problems = await said(projectOf(), { env });

    expect(problems).toEqual([expect.stringMatching(pattern)]);
    for (const secret of Object.values(env).filter((value) => /^(xox|xapp|change)/.test(value))) {
      expect(problems.join()).not.toContain(secret);
    }
  });

  it("is HTTP asked for without a signing secret", async () => {
    const problems = await said(
      projectOf({ "troupe.yaml": "slack: { mode: http }\nweb: { public_url: https://a.example.org }" }),
      { env: SOCKET },
    );

    expect(problems).toEqual([
      expect.stringMatching(/though slack\.mode is http \(SLACK_SIGNING_SECRET\) — set it to/),
    ]);
  });

  it("is said once for a secret's file that cannot be read", async () => {
    const problems = await said(projectOf(), { env: { ...SOCKET, SLACK_APP_TOKEN: "", SLACK_APP_TOKEN_FILE: "none" } });

    expect(problems).toEqual([expect.stringMatching(/does not exist \(SLACK_APP_TOKEN_FILE\)/)]);
  });

  it("is a token in the file, of which nothing is shown", async () => {
    const problems = await said(projectOf({ "troupe.yaml": `slack: { bot_token: ${BOT} }` }), { env: {} });

    expect(problems).toEqual([expect.stringMatching(/secrets are never read from this file \(slack\.bot_token\)/)]);
  });

  it.each(["slack: { mode: sockets }", "slack: { pace: -1 }", "slack: { pace: fast }", "catch_up_minutes: 1.5"])(
    "is %s",
    async (file) => {
      expect(await projectOf({ "troupe.yaml": file }).problems({ env: {} })).toHaveLength(1);
    },
  );
});

describe("A persona with a Slack app of its own", () => {
  it("has its token by name, read from the variable that its file names", async () => {
    const project = projectOf({ "troupe.yaml": "", "personas/alpha.md": OWN_APP, "personas/beta.md": persona("beta") });

    const { slack, warnings } = await project.load({ env: { ...SOCKET, ALPHA_SLACK_BOT_TOKEN: "xoxb-2-alpha" } });

    expect(slack.tokens?.personaTokens).toEqual(
      new Map([["alpha", { tokenName: "ALPHA_SLACK_BOT_TOKEN", token: "xoxb-2-alpha" }]]),
    );
    expect(warnings).toEqual([]);
  });

  it("speaks through the main app while its variable is not set, and the check refuses that", async () => {
    const project = projectOf({ "troupe.yaml": "", "personas/alpha.md": OWN_APP });

    const { slack, warnings } = await project.load({ env: SOCKET });

    expect(slack.tokens?.personaTokens).toEqual(new Map());
    expect(warnings.map(formatProblem)).toEqual([
      expect.stringMatching(/^personas\/alpha\.md:3:.*ALPHA_SLACK_BOT_TOKEN is not set.*slack\.token_env/),
    ]);
    expect(await project.problems({ env: SOCKET, strict: true })).toHaveLength(1);
  });

  it("needs nothing where Slack takes no part", async () => {
    const project = projectOf({ "troupe.yaml": "", "personas/alpha.md": OWN_APP });

    expect((await project.load({ strict: true })).warnings).toEqual([]);
  });

  it.each([
    ["the main app's token", BOT, /the main app too/],
    ["an app-level token", "xapp-2-alpha", /holds an app-level token/],
  ])("is refused with %s", async (_, token, pattern) => {
    const project = projectOf({ "troupe.yaml": "", "personas/alpha.md": OWN_APP });

    expect(await said(project, { env: { ...SOCKET, ALPHA_SLACK_BOT_TOKEN: token } })).toEqual([
      expect.stringMatching(pattern),
    ]);
  });

  it("never shares its token with another", async () => {
    const project = projectOf({
      "troupe.yaml": "",
      "personas/alpha.md": OWN_APP,
      "personas/beta.md": persona("beta", "slack: { token_env: BETA_TOKEN }\n"),
    });

    const problems = await said(project, {
      env: { ...SOCKET, ALPHA_SLACK_BOT_TOKEN: "xoxb-2-alpha", BETA_TOKEN: "xoxb-2-alpha" },
    });

    expect(problems).toEqual([expect.stringMatching(/the token of alpha too \(BETA_TOKEN\)/)]);
  });

  it("is told off for a token in its file, without showing it", async () => {
    const file = persona("alpha", "slack: { token_env: xoxb-2-alpha }\n");

    const problems = await said(projectOf({ "troupe.yaml": "", "personas/alpha.md": file }), { env: {} });

    expect(problems).toEqual([expect.stringMatching(/name of an environment variable.*never the token itself/)]);
    expect(problems.join()).not.toContain("xoxb-2");
  });
});

describe("What must never be shown", () => {
  it.each([
    ["socket", SOCKET],
    ["http", HTTP],
  ])("holds every secret of Slack in mode %s", async (_, env) => {
    const project = projectOf({ "troupe.yaml": "", "personas/alpha.md": OWN_APP });

    const config = await project.load({ env: { ...env, ALPHA_SLACK_BOT_TOKEN: "xoxb-2-alpha" } });

    const secrets = Object.entries(env).flatMap(([name, value]) => (name.startsWith("SLACK") ? [value] : []));
    expect(secretsOf(config).toSorted()).toEqual([...secrets, "xoxb-2-alpha"].toSorted());
  });
});
