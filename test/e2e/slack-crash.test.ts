import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Fault } from "../fakes/slack/faults.js";
import { type FakeSlack, startFakeSlack } from "../fakes/slack/server.js";
import { createProject, type RunningService, scriptedPersona, startService } from "../support/cli.js";
import { call } from "../support/http-client.js";

const MENTIONS = 20;
const PROJECT = {
  "troupe.yaml": "slack: { pace: 0 }\n",
  "personas/alpha.md": scriptedPersona("alpha", 'say: "Answer to {{text}}"'),
};

async function openTown() {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const { workspace } = slack;
  workspace.addUser({ name: "ann" });
  const app = workspace.addApp({ name: "troupe", displayName: "Troupe", commands: ["/agent"] });
  workspace.addChannel({ name: "general", members: ["ann", "troupe"] });
  const env = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: app.token, SLACK_APP_TOKEN: app.appToken };
  return { slack, env };
}

/** Resolves when the service says of itself that nothing is missing. */
async function isReady({ port }: RunningService): Promise<void> {
  await vi.waitFor(async () => expect((await call(port, "/readyz")).status).toBe(200), 30_000);
}

/** The answers that can be seen below each mention. */
function answers(slack: FakeSlack): readonly (readonly string[])[] {
  return slack.seen("general").map(({ replies }) => replies.map(({ text }) => text));
}

const EXPECTED = Array.from({ length: MENTIONS }, (_, i) => [`Answer to @alpha number ${i}.`]);

function mention(slack: FakeSlack) {
  return Array.from({ length: MENTIONS }, (_, i) => slack.person("ann").say("general", `@alpha number ${i}.`));
}

describe("A service that is killed with mentions acknowledged", { timeout: 120_000 }, () => {
  it("answers all twenty of them, each once, after its next start", async () => {
    const { slack, env } = await openTown();
    const project = createProject(PROJECT);
    const first = await startService(project, env);
    await isReady(first);
    // Some answers stand and are known to, one stands and is not known to, the others are still to come.
    slack.faults.add({ method: "chat.postMessage", skip: 5, times: 1_000, fault: { kind: "accept-then-hang" } });

    const said = mention(slack);
    await Promise.all(said.flatMap(({ deliveries }) => deliveries.map(({ settled }) => settled)));
    expect(said.every(({ deliveries }) => deliveries.every(({ state }) => state === "acked"))).toBe(true);
    await slack.recorder.until(() => slack.recorder.of("chat.postMessage").length > 5);
    first.signal("SIGKILL");
    await first.exited;
    slack.faults.clear();
    expect(answers(slack).flat().length).toBeGreaterThan(5);

    const second = await startService(project, env);
    await isReady(second);
    await slack.recorder.until(() => answers(slack).flat().length >= MENTIONS);
    second.signal("SIGTERM");
    await second.exited;

    expect(answers(slack)).toEqual(EXPECTED);
  });
});

describe("A service with every third post going wrong", { timeout: 180_000 }, () => {
  it.each<[string, Fault]>([
    ["taken and the connection dropped", { kind: "accept-then-drop" }],
    ["taken and answered with a 502", { kind: "accept-then-status", status: 502 }],
    ["taken and never answered", { kind: "accept-then-hang" }],
    ["neither taken nor answered", { kind: "hang" }],
  ])("shows each answer once when it is %s", async (_, fault) => {
    const { slack, env } = await openTown();
    const service = await startService(createProject(PROJECT), env);
    await isReady(service);
    slack.faults.add({ method: "chat.postMessage", every: 3, fault });

    mention(slack);
    await slack.recorder.until(() => answers(slack).flat().length >= MENTIONS);
    service.signal("SIGTERM");
    const { code } = await service.exited;

    expect(answers(slack)).toEqual(EXPECTED);
    const went = slack.recorder
      .of("chat.postMessage")
      .filter(({ isWithheld, outcome }) => isWithheld || outcome !== "ok");
    expect(went.length).toBeGreaterThan(4);
    expect(code).toBe(0);
  });
});
