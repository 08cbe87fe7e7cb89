import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { MAIN_SCOPES } from "../../adapters/slack/setup/manifest.js";
import { examine } from "../../src/doctor.js";
import { createRoom } from "../../src/domain/room.js";
import { RECORDS, ROOM_KEY } from "../../src/engine/records.js";
import { openDriver } from "../../src/store/sqlite/driver.js";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { startFakeSlack } from "../fakes/slack/server.js";
import { createProject, runCli, startService } from "../support/cli.js";
import { openDiscordTown } from "../support/discord-town.js";

const report = z.object({
  ok: z.boolean(),
  findings: z.array(z.object({ check: z.string(), ok: z.boolean(), says: z.string(), mend: z.string().optional() })),
});

type Env = Readonly<Record<string, string>>;

/** What the doctor finds: its exit code, and of one check the lines, problems marked. */
async function diagnosis(cwd: string, env: Env = {}) {
  const { code, stdout, stderr } = await runCli(["doctor", "--json"], { cwd, env });
  expect(stderr).toBe("");
  const { ok, findings } = report.parse(JSON.parse(stdout));
  expect(code).toBe(ok ? 0 : 1);
  const of = (check: string) =>
    findings
      .filter((finding) => finding.check === check)
      .map(({ ok, says, mend }) => [ok ? "ok" : "problem", [says, mend].filter(Boolean).join(" — ")].join(": "));
  return { ok, of, checks: [...new Set(findings.map(({ check }) => check))], text: stdout };
}

/** A server on this machine that answers as it is told; resolves with its address and what it was asked. */
async function startServer(answer: (request: IncomingMessage) => { status: number; date?: string }) {
  const asked: { path: string; headers: IncomingMessage["headers"] }[] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? "", headers: request.headers });
    const { status, date } = answer(request);
    if (date !== undefined) response.setHeader("date", date);
    response.writeHead(status, { "content-type": "application/json" }).end('{"data":[]}');
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((done) => server.once("listening", done));
  // A TCP server's address is never a path.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, asked };
}

const modelPersona = (model: string) => ({
  "troupe.yaml": "",
  "personas/alpha.md": `---\nname: alpha\nmodel: ${model}\n---\nYou are alpha.\n`,
});

async function slackTown(scopes: readonly string[] = Object.keys(MAIN_SCOPES)) {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const { token, appToken } = slack.workspace.addApp({ name: "troupe", scopes });
  const env = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken };
  return { slack, env };
}

describe("troupe doctor", () => {
  it("finds nothing wrong with a fresh folder, one line for each check, and changes nothing", async () => {
    const cwd = createProject();

    const { code, stdout } = await runCli(["doctor"], { cwd });

    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.slice(0, 24).trim())).toEqual([
      "ok       configuration",
      "ok       service",
      "ok       store",
      "ok       models",
      "ok       slack",
      "ok       discord",
      "ok       clock",
      "",
    ]);
    expect(await runCli(["rooms"], { cwd })).toMatchObject({ stdout: expect.stringContaining("No rooms yet") });
  });

  it("shows every error of the configuration at its place, and still looks at the store", async () => {
    const { of, checks } = await diagnosis(createProject({ "troupe.yaml": "taem: ours" }));

    expect(of("configuration")).toEqual(["problem: troupe.yaml:1:1: is not a known key (taem) — did you mean team?"]);
    expect(checks).toEqual(["configuration", "service", "store", "clock"]);
  });
});

describe("The doctor on the store", () => {
  it("names the layout of one that is there", async () => {
    const cwd = createProject();
    const store = createSqliteStore({ dataDir: join(cwd, "data") });
    await store.open();
    await store.close();

    expect((await diagnosis(cwd)).of("store")).toEqual([
      expect.stringMatching(/^ok: .*data can be opened and written, layout \d+$/),
    ]);
  });

  it("finds one that another process has, one that is no database, and one of a newer program", async () => {
    const used = createProject();
    const store = createSqliteStore({ dataDir: join(used, "data") });
    await store.open();
    onTestFinished(() => store.close());
    const broken = createProject();
    mkdirSync(join(broken, "data"));
    writeFileSync(join(broken, "data/troupe.db"), "no database ".repeat(1_000));
    const newer = createProject();
    const driver = await openDriver(join(newer, "data"));
    driver.exec("PRAGMA user_version = 999");
    driver.close();

    expect((await diagnosis(used)).of("store")).toEqual([
      expect.stringMatching(/^problem: .*in use by another process: /),
    ]);
    expect((await diagnosis(broken)).of("store")).toEqual([expect.stringMatching(/^problem: .*restore a backup/)]);
    expect((await diagnosis(newer)).of("store")).toEqual([
      expect.stringMatching(/^problem: .*layout 999.*update Troupe/),
    ]);
  });

  it("finds a folder that cannot be made", async () => {
    const cwd = createProject({ file: "" });

    const { of } = await diagnosis(cwd, { TROUPE_DATA_DIR: "file/data" });

    expect(of("store")).toEqual([expect.stringMatching(/^problem: .*not writable .*--data$/)]);
  });
});

describe("The doctor on a running service", { timeout: 60_000 }, () => {
  it("says where it runs and leaves its store alone", async () => {
    const cwd = createProject();
    const { url, pid } = await startService(cwd);

    const { ok, of } = await diagnosis(cwd);

    expect(ok).toBe(true);
    expect(of("service")).toEqual([`ok: runs at ${url} (process ${pid}), ready`]);
    expect(of("store")).toEqual([expect.stringContaining("in use by the running service")]);
  });
});

describe("The doctor on models", () => {
  const env = (url: string): Env => ({ ANTHROPIC_API_KEY: "sk-ant-secret", ANTHROPIC_BASE_URL: url });

  it("asks the provider about the model with the key, and runs nothing", async () => {
    const server = await startServer(() => ({ status: 200 }));

    const { of } = await diagnosis(createProject(modelPersona("anthropic:claude-x")), env(server.url));

    expect(of("models")).toEqual([`ok: ${server.url} knows claude-x`]);
    expect(server.asked.map(({ path, headers }) => [path, headers["x-api-key"]])).toEqual([
      ["/v1/models/claude-x", "sk-ant-secret"],
    ]);
  });

  it.each([
    [401, /refuses the key \(401\) — set ANTHROPIC_API_KEY/],
    [404, /knows no model claude-x — correct the model/],
    [503, /has a fault of its own/],
  ])("names the mend when the provider answers %i, and never the key", async (status, words) => {
    const server = await startServer(() => ({ status }));

    const { ok, of, text } = await diagnosis(createProject(modelPersona("anthropic:claude-x")), env(server.url));

    expect([ok, of("models")]).toEqual([false, [expect.stringMatching(words)]]);
    expect(text).not.toContain("sk-ant-secret");
  });

  it("takes a server of one's own as reached when it lists no models, and asks without a key", async () => {
    const server = await startServer(() => ({ status: 404 }));

    const { of } = await diagnosis(createProject(modelPersona("openai-compatible:llama")), {
      OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1`,
    });

    expect(of("models")).toEqual([`ok: ${server.url} answers`]);
    expect(server.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([["/v1/models", undefined]]);
  });

  it("finds a server that does not answer", async () => {
    const { of } = await diagnosis(createProject(modelPersona("openai-compatible:llama")), {
      OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1/v1",
    });

    expect(of("models")).toEqual([
      expect.stringMatching(/^problem: http:\/\/127\.0\.0\.1:1 does not answer — .*OPENAI_COMPATIBLE_BASE_URL$/),
    ]);
  });

  it("leaves a missing key to the configuration's line, and looks at the rest all the same", async () => {
    const { of, checks } = await diagnosis(createProject(modelPersona("anthropic:claude-x")));

    expect(of("configuration")).toEqual([
      expect.stringMatching(/alpha\.md:3:.*set ANTHROPIC_API_KEY in the environment$/),
    ]);
    expect(of("models")).toEqual([]);
    expect(checks).toContain("clock");
  });
});

describe("The doctor on Slack", () => {
  it("finds nothing wrong with good tokens and every right, and opens no connection", async () => {
    const { slack, env } = await slackTown();

    const { ok, of } = await diagnosis(createProject(), env);

    expect(of("slack")).toEqual([
      "ok: SLACK_BOT_TOKEN is good for https://home.slack.com/ (T0HOME)",
      "ok: the app has every right that it needs",
      "ok: SLACK_APP_TOKEN may open connections",
    ]);
    expect(ok).toBe(true);
    expect(slack.recorder.of("chat.postMessage")).toEqual([]);
    expect(slack.sockets.connections).toEqual([]);
  });

  it("names each right that is missing, and where it is given", async () => {
    const scopes = Object.keys(MAIN_SCOPES).filter((scope) => !["channels:history", "im:history"].includes(scope));
    const { env } = await slackTown(scopes);

    const { of } = await diagnosis(createProject(), env);

    expect(of("slack").filter((line) => line.startsWith("problem"))).toEqual([
      expect.stringMatching(
        /add the scope channels:history on its page "OAuth & Permissions", then install it .* again/,
      ),
      expect.stringMatching(/add the scope im:history/),
    ]);
  });

  it("finds a token that Slack refuses, beside an app-level token that it takes", async () => {
    const { env } = await slackTown();

    const { of, text } = await diagnosis(createProject(), { ...env, SLACK_BOT_TOKEN: "xoxb-1-revoked" });

    expect(of("slack")).toEqual([
      expect.stringMatching(/^problem: Slack refuses SLACK_BOT_TOKEN \(invalid_auth\): /),
      "ok: SLACK_APP_TOKEN may open connections",
    ]);
    expect(text).not.toContain("xoxb-1-revoked");
  });

  it("finds an app-level token that Slack refuses", async () => {
    const { env } = await slackTown();

    const { of } = await diagnosis(createProject(), { ...env, SLACK_APP_TOKEN: "xapp-1-revoked" });

    expect(of("slack").at(-1)).toMatch(/^problem: Slack refuses SLACK_APP_TOKEN \(invalid_auth\)/);
  });

  it("knows personas with an app of their own", async () => {
    const { slack, env } = await slackTown();
    const { token } = slack.workspace.addApp({ name: "alpha", scopes: [] });
    const file = "---\nname: alpha\nslack: { token_env: ALPHA_TOKEN }\nscript: [{ say: Hi. }]\n---\n";
    const cwd = createProject({ "troupe.yaml": "", "personas/alpha.md": file });

    const { of } = await diagnosis(cwd, { ...env, ALPHA_TOKEN: token });

    expect(of("slack").at(-1)).toMatch(/^problem: alpha's own app lacks chat:write: add it/);
  });
});

describe("The doctor on Discord", () => {
  it("finds nothing wrong with a good token and every permission, and opens no connection", async () => {
    const { discord } = await openDiscordTown(Date.now());
    const env = { DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: discord.token };

    const { ok, of, text } = await diagnosis(createProject(), env);

    expect(of("discord")).toEqual([
      `ok: DISCORD_TOKEN is good for troupe (${discord.applicationId})`,
      "ok: the bot may read messages",
      "ok: the bot has every permission that it needs in home",
    ]);
    expect(ok).toBe(true);
    expect(text).not.toContain(discord.token);
    expect(discord.recorder.requests.every(({ verb }) => verb === "GET")).toBe(true);
    expect(discord.gateway.open("troupe")).toEqual([]);
  });

  it("looks at the rooms that the configuration names, and at the roles that personas want", async () => {
    const { discord } = await openDiscordTown(Date.now());
    const { workspace } = discord;
    const room = `discord:${workspace.guild("home").id}:${workspace.channel("general").id}`;
    workspace.deny("home", "troupe", ["attachFiles", "sendMessagesInThreads"], "general");
    const cwd = createProject({
      "troupe.yaml": `rooms: { overrides: { "${room}": { wake: always } } }`,
      "personas/alpha.md":
        "---\nname: alpha\ndisplay_name: Alpha\ndiscord: { role: true }\nscript: [{ say: Hi. }]\n---\n",
    });

    const { ok, of } = await diagnosis(cwd, { DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: discord.token });

    expect(of("discord").filter((line) => line.startsWith("problem"))).toEqual([
      expect.stringMatching(/lacks Manage Roles: it cannot make the roles Alpha/),
      expect.stringMatching(/^problem: In #general of home the bot lacks Send Messages in Threads/),
    ]);
    expect(ok).toBe(false);
  });

  it("looks at rooms that have been used, from the store, and leaves it as it is", async () => {
    const { discord } = await openDiscordTown(Date.now());
    const { workspace } = discord;
    const room = `discord:${workspace.guild("home").id}:${workspace.channel("den").id}`;
    workspace.deny("home", "troupe", ["viewChannel"], "den");
    const cwd = createProject();
    const store = createSqliteStore({ dataDir: join(cwd, "data") });
    await store.open();
    const value = createRoom(room, { personas: "all", direct: false }, 0);
    await store.commit({ room, put: [{ kind: RECORDS.room, key: ROOM_KEY, value }] });
    await store.close();

    const { of } = await diagnosis(cwd, { DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: discord.token });

    expect(of("discord").at(-1)).toMatch(/^problem: The bot does not see #/);
    expect(of("store")).toEqual([expect.stringMatching(/^ok: .* can be opened and written/)]);
  });

  it("finds a server that does not answer", async () => {
    const { url } = await startServer(() => ({ status: 502 }));
    const token = `${Buffer.from("300000000000000001").toString("base64url")}.troupe.secret`;

    const { of } = await diagnosis(createProject(), { DISCORD_API_URL: `${url}/api`, DISCORD_TOKEN: token });

    expect(of("discord")).toEqual([expect.stringMatching(/^problem: Discord answers 502/)]);
  });
});

describe("The doctor on the clock", () => {
  const HOUR = 3_600_000;

  async function clockOf(offMs: number) {
    const server = await startServer(() => ({ status: 200, date: new Date(Date.now() - offMs).toUTCString() }));
    const cwd = createProject(modelPersona("openai-compatible:llama"));
    const { of } = await diagnosis(cwd, { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` });
    return { line: of("clock"), host: server.host };
  }

  it("agrees with a server whose clock is the same", async () => {
    const { line, host } = await clockOf(0);

    expect(line).toEqual([`ok: agrees with ${host}`]);
  });

  it.each([
    [HOUR, "ahead of"],
    [-HOUR, "behind"],
  ])("finds that it is off by %i ms", async (off, words) => {
    const { line, host } = await clockOf(off);

    expect(line).toEqual([expect.stringMatching(new RegExp(`^problem: 3(599|600|601) s ${words} ${host} — .*NTP$`))]);
  });

  it("finds a clock that was never set", async () => {
    const cwd = createProject();
    const sources = { env: {}, cwd, packageDir: join(import.meta.dirname, "../..") };

    const findings = await examine({ sources, dataDir: join(cwd, "data"), now: () => 0 });

    expect(findings.at(-1)).toMatchObject({ check: "clock", ok: false, says: expect.stringContaining("1970-01-01") });
  });
});
