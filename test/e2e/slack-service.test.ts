import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startFakeSlack } from "../fakes/slack/server.js";
import { createProject, type RunningService, runCli, scriptedPersona, startCli, startService } from "../support/cli.js";
import { call } from "../support/http-client.js";

const LOG_IMPORTS = resolve(import.meta.dirname, "../support/log-imports.mjs");
const ALPHA = {
  "troupe.yaml": "slack: { pace: 0 }\n",
  "personas/alpha.md": scriptedPersona("alpha", 'say: "Here I am: {{text}}"'),
};

async function openTown() {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const { workspace } = slack;
  workspace.addUser({ name: "ann" });
  const app = workspace.addApp({ name: "troupe", displayName: "Troupe", commands: ["/agent"] });
  workspace.addChannel({ name: "general", members: ["ann", "troupe"] });
  const base = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: app.token };
  return {
    slack,
    app,
    ann: slack.person("ann"),
    socket: { ...base, SLACK_APP_TOKEN: app.appToken },
    http: { ...base, SLACK_SIGNING_SECRET: app.signingSecret },
  };
}

/** Resolves when the service says of itself that nothing is missing. */
async function isReady({ port }: RunningService): Promise<void> {
  await vi.waitFor(async () => expect((await call(port, "/readyz")).status).toBe(200), 30_000);
}

describe("A service without Slack's tokens", { timeout: 60_000 }, () => {
  it("loads nothing of Slack's", async () => {
    const cwd = createProject();
    const log = join(cwd, "imports");
    writeFileSync(log, "");
    const running = startCli(["start", "--port", "0"], { cwd, env: { IMPORTS_LOG: log }, imports: [LOG_IMPORTS] });

    await running.written(/^Web room: /m);

    const imports = readFileSync(log, "utf8").split("\n");
    expect(imports).toContain("hono");
    expect(imports.filter((name) => /^@slack\/|adapters\/slack\/index/.test(name))).toEqual([]);
  });
});

describe("A service with Slack's tokens", { timeout: 60_000 }, () => {
  it("answers over the socket under the persona's name, and keeps every secret out of its log", async () => {
    const { slack, ann, app, socket } = await openTown();
    const service = await startService(createProject(ALPHA), { ...socket, TROUPE_LOG_LEVEL: "debug" });
    await isReady(service);

    ann.say("general", "@alpha are you there?");
    await slack.recorder.until(() => slack.seen("general")[0]?.replies[0]);
    service.signal("SIGTERM");
    const { code, stderr } = await service.exited;

    expect(slack.transcript("general")).toEqual([
      "ann: @alpha are you there?",
      expect.stringMatching(/^ {2}alpha \[APP\]: Here I am: @alpha are you there\?$/),
    ]);
    expect(code).toBe(0);
    expect(stderr).not.toContain(app.token);
    expect(stderr).not.toContain(app.appToken);
  });

  it("takes signed requests on its own port, without a key, and refuses others", async () => {
    const { slack, ann, app, http } = await openTown();
    const service = await startService(createProject(ALPHA), http);
    await isReady(service);
    app.requestUrl = `${service.url}/slack/events`;

    const challenge = await slack.http.verify(app);
    const forged = await slack.http.post(app, "{}", { secret: "not the secret" });
    ann.say("general", "@alpha are you there?");
    await slack.recorder.until(() => slack.seen("general")[0]?.replies[0]);

    expect(challenge.status).toBe(200);
    expect(JSON.parse(challenge.body)).toEqual({ challenge: expect.any(String) });
    expect(forged.status).toBe(401);
  });

  it("stays up with its web room when Slack refuses the token, and says so", async () => {
    const { socket } = await openTown();
    const project = createProject(ALPHA);
    const service = await startService(project, { ...socket, SLACK_BOT_TOKEN: "xoxb-1-refused" });
    await service.written(/an adapter could not start/);

    const ready = await call(service.port, "/readyz");
    const rooms = await call(service.port, "/api/rooms", { key: service.key });
    const doctor = await runCli(["doctor"], { cwd: project, env: socket });

    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/^problem +service +runs at .*, not ready: slack: Slack refuses SLACK_BOT_TOKEN/m);
    expect(doctor.stdout).toMatch(/^ok +slack +SLACK_BOT_TOKEN is good/m);
    expect(ready.status).toBe(503);
    expect(JSON.parse(ready.text)).toEqual({
      ready: false,
      missing: [expect.stringMatching(/^slack: Slack refuses SLACK_BOT_TOKEN \(invalid_auth\): .*restart\.$/)],
    });
    expect(rooms.status).toBe(200);
    expect(ready.text).not.toContain("xoxb-1-refused");
  });
});
