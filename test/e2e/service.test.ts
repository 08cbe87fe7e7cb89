import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeLlm } from "../fakes/llm/server.js";
import type { FakeReply, FakeRequest } from "../fakes/llm/wire.js";
import { createProject, type RunningService, scriptedPersona, startService, writeIn } from "../support/cli.js";
import { call } from "../support/http-client.js";
import { type ShownEntry, webPerson } from "../support/web-room.js";

/** A persona that would answer in ten minutes, and the same one when it answers at once. */
const SLOW = scriptedPersona("alpha", 'steps: [{ delay_ms: 600000 }, { say: "Too late." }]');
const QUICK = scriptedPersona("alpha", 'say: "Here I am: {{text}}"');

const isTurnBegun = ({ kind }: ShownEntry) => kind === "ack";
const isReply = ({ kind, sender }: ShownEntry) => kind === "message" && sender.kind === "agent";

function repliesIn(entries: readonly ShownEntry[]): readonly string[] {
  return entries.filter(isReply).map(({ text }) => text);
}

/** A project whose service has accepted a message and begun a turn that lasts. */
async function atWork(): Promise<{ project: string; service: RunningService }> {
  const project = createProject({ "troupe.yaml": "", "personas/alpha.md": SLOW });
  const service = await startService(project);
  const person = webPerson(service);
  await person.say("are you there?", "message-1");
  await person.until(isTurnBegun);
  return { project, service };
}

/** Starts the project again with a quick persona; resolves with the log once it has answered and nothing is left to do. */
async function answeredAfterRestart(project: string): Promise<readonly ShownEntry[]> {
  writeIn(project, "personas/alpha.md", QUICK);
  const service = await startService(project);
  const person = webPerson(service);
  await person.until(isReply);
  // Only a message that was waiting behind the first one could still be answered; this one comes last.
  await person.say("and now?", "message-2");
  return person.until(({ text }) => text === "Here I am: and now?");
}

describe("A service that ends during a turn", { timeout: 60_000 }, () => {
  it("parks the turn at SIGTERM, ends with 0 within ten seconds, and answers once after the next start", async () => {
    const { project, service } = await atWork();

    service.signal("SIGTERM");
    const { code } = await service.exited;
    const entries = await answeredAfterRestart(project);

    expect(code).toBe(0);
    expect(repliesIn(entries)).toEqual(["Here I am: are you there?", "Here I am: and now?"]);
  });

  it("answers what it had accepted once after kill -9 and a restart", async () => {
    const { project, service } = await atWork();

    service.signal("SIGKILL");
    await service.exited;
    const entries = await answeredAfterRestart(project);

    expect(repliesIn(entries)).toEqual(["Here I am: are you there?", "Here I am: and now?"]);
  });

  it("takes a message that is sent again after the restart for the same one", async () => {
    const { project, service } = await atWork();
    service.signal("SIGKILL");
    await service.exited;
    writeIn(project, "personas/alpha.md", QUICK);
    const person = webPerson(await startService(project));

    await person.say("are you there?", "message-1");
    await person.until(isReply);

    expect(await person.lines()).toEqual(["You: are you there?", "alpha: Here I am: are you there?"]);
  });

  it("ends at once at a second signal", async () => {
    const { service } = await atWork();

    service.signal("SIGTERM");
    await service.written(/a second signal ends at once/);
    const again = setInterval(() => service.signal("SIGTERM"), 100);
    onTestFinished(() => clearInterval(again));
    const { code } = await service.exited;

    expect(code).toBe(143);
  });
});

describe("Personas on disk", { timeout: 60_000 }, () => {
  it("join, change and leave a running service without a restart", async () => {
    const project = createProject({ "troupe.yaml": "", "personas/alpha.md": QUICK });
    const service = await startService(project);
    const person = webPerson(service);
    await person.say("hello");
    await person.until(isReply);

    writeIn(project, "personas/gamma.md", scriptedPersona("gamma", 'say: "Gamma is new."'));
    await person.untilRoom(({ roster }) => roster.some(({ name }) => name === "gamma"));
    await person.say("@gamma who are you?");
    const entries = await person.until(({ sender }) => sender.name === "gamma");

    expect(repliesIn(entries)).toContain("Gamma is new.");
  });

  it("keep serving as they were when a file breaks, and the log says where", async () => {
    const project = createProject({ "troupe.yaml": "", "personas/alpha.md": QUICK });
    const service = await startService(project);

    writeIn(project, "personas/alpha.md", "---\nname: [\n---\n");
    const [line] = await service.written(/personas\/alpha\.md:\d+:\d+: .*/);
    const person = webPerson(service);
    await person.say("hello");
    const entries = await person.until(isReply);

    expect(line).toContain("personas/alpha.md:");
    expect(repliesIn(entries)).toEqual(["Here I am: hello"]);
  });
});

describe("Model personas", { timeout: 60_000 }, () => {
  /** Planner asks Critic by its tool, Critic answers. */
  function answer({ system, lastText, toolResults }: FakeRequest): FakeReply {
    if (system.includes("You are Critic.")) return { text: "It is fine, apart from Friday." };
    if (toolResults.length > 0) return { text: "I have asked Critic." };
    if (lastText.includes("ship")) {
      return {
        text: "Let me ask.",
        calls: [{ name: "send_message", input: { to: "critic", text: "Is the plan fine?" } }],
      };
    }
    return { text: "You are welcome." };
  }

  function modelPersona(name: string): string {
    return `---\nname: ${name.toLowerCase()}\ndisplay_name: ${name}\ndescription: The persona ${name}.\n---\nYou are ${name}.\n`;
  }

  it("hold a conversation through an OpenAI-compatible endpoint, streaming, and wake each other by tool", async () => {
    const fake = await startFakeLlm();
    onTestFinished(() => fake.close());
    fake.script(answer);
    const project = createProject({
      "troupe.yaml": "default_model: openai-compatible:qwen3\n",
      "personas/critic.md": modelPersona("Critic"),
      "personas/planner.md": modelPersona("Planner"),
    });
    const service = await startService(project, {
      OPENAI_COMPATIBLE_BASE_URL: fake.url,
      OPENAI_COMPATIBLE_API_KEY: "sk-secret-0123456789",
    });
    const person = webPerson(service);

    await person.say("@planner can we ship?");
    await person.until(({ sender, outcome }) => sender.name === "Critic" && outcome !== null);
    const first = await person.lines();
    await person.say("@planner thanks");
    const entries = await person.until(({ text }) => text === "You are welcome.");

    expect(first).toEqual([
      "You: @planner can we ship?",
      "Planner: @critic Is the plan fine?",
      "Planner: I have asked Critic.",
      "Critic: It is fine, apart from Friday.",
    ]);
    expect(entries.map(({ kind }) => kind)).toContain("tool_call");
    expect(fake.requests.every(({ stream }) => stream)).toBe(true);
    expect(fake.requests[0]?.toolNames).toEqual(expect.arrayContaining(["send_message", "list_room"]));
    // The last turn sees what was said since Planner last spoke.
    expect(fake.requests.at(-1)?.raw).toContain("It is fine, apart from Friday.");
    const metrics = await call(service.port, "/metrics", { key: service.key });
    expect(metrics.text).toMatch(/troupe_messages_received_total 2\n/);
    expect(metrics.text).toMatch(/troupe_store_commit_duration_seconds_count [1-9]\d*\n/);
    service.signal("SIGTERM");
    const { code, stdout, stderr } = await service.exited;
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain("sk-secret-0123456789");
  });

  it("that cannot be reached fail in one line with a button, and leave the service up", async () => {
    const project = createProject({
      "troupe.yaml": "default_model: openai-compatible:qwen3\n",
      "personas/planner.md": modelPersona("Planner"),
    });
    const service = await startService(project, { OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1" });
    const person = webPerson(service);

    await person.say("hello?");
    const entries = await person.until(({ kind }) => kind === "error");
    const ready = await call(service.port, "/readyz");

    expect(entries.filter(({ kind }) => kind === "error")).toHaveLength(1);
    expect(entries.at(-1)?.text).toMatch(/^Planner could not answer: /);
    expect(ready.status).toBe(200);
  });
});
