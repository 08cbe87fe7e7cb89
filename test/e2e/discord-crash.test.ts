import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Fault } from "../fakes/discord/faults.js";
import { expectKnownRequests } from "../fakes/discord/openapi.js";
import { type FakeDiscord, startFakeDiscord } from "../fakes/discord/server.js";
import { createProject, type RunningService, scriptedPersona, startService } from "../support/cli.js";
import { call, json } from "../support/http-client.js";

const MENTIONS = 20;
const PROJECT = {
  "troupe.yaml": "rooms: { defaults: { reply: channel } }\n",
  "personas/alpha.md": scriptedPersona("alpha", 'say: "Answer to {{text}}"'),
};

async function openTown() {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.close());
  onTestFinished(() => expectKnownRequests(discord));
  const { workspace } = discord;
  workspace.addUser({ name: "ann" });
  workspace.addGuild({ name: "home", owner: "ann", members: ["troupe"] });
  workspace.addChannel({ name: "general" });
  return { discord, env: { DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: discord.token } };
}

/** Resolves when the service says of itself that nothing is missing. */
async function isReady({ port }: RunningService): Promise<void> {
  await vi.waitFor(async () => expect((await call(port, "/readyz")).status).toBe(200), 60_000);
}

interface Kept {
  readonly entries: readonly { readonly kind: string; readonly sender: { readonly kind: string } }[];
}

/** Resolves when the service keeps so many messages of people in the channel. */
async function hasTaken({ port, key }: RunningService, { workspace }: FakeDiscord, count: number): Promise<void> {
  const room = encodeURIComponent(`discord:${workspace.guild("home").id}:${workspace.channel("general").id}`);
  await vi.waitFor(async () => {
    // Our own service's form, as product.md has it.
    const kept = json(await call(port, `/api/rooms/${room}/entries?limit=500`, { key })) as Kept;
    expect(kept.entries.filter(({ kind, sender }) => kind === "message" && sender.kind === "person").length).toBe(
      count,
    );
  }, 30_000);
}

/** The answers that can be seen, in order, without the line that leads to what each answers. */
function answers({ seen }: FakeDiscord): readonly string[] {
  const posts = seen("general").filter(({ isWebhook }) => isWebhook);
  return posts.map(({ text }) => text.slice(text.indexOf("Answer to ")));
}

const EXPECTED = Array.from({ length: MENTIONS }, (_, i) => `Answer to @alpha number ${i}.`);

function mention(discord: FakeDiscord): void {
  for (let i = 0; i < MENTIONS; i++) discord.person("ann").say("general", `@alpha number ${i}.`);
}

/** Ends the service in good order, and says what can be seen then. */
async function seenAtTheEnd(service: RunningService, discord: FakeDiscord): Promise<readonly string[]> {
  await discord.recorder.until(() => answers(discord).length >= MENTIONS);
  service.signal("SIGTERM");
  expect((await service.exited).code).toBe(0);
  return answers(discord);
}

describe("A service on Discord that is killed with mentions taken", { timeout: 180_000 }, () => {
  it("answers all twenty of them, each once and in order, after its next start", async () => {
    const { discord, env } = await openTown();
    const project = createProject(PROJECT);
    const first = await startService(project, env);
    await isReady(first);
    // Some answers stand and are known to, one stands and is not known to, the others are still to come.
    discord.faults.add({ method: "execute_webhook", skip: 5, times: 1_000, fault: { kind: "accept-then-hang" } });

    mention(discord);
    await hasTaken(first, discord, MENTIONS);
    await discord.recorder.until(() => discord.recorder.of("execute_webhook").length > 5);
    first.signal("SIGKILL");
    await first.exited;
    discord.faults.clear();
    expect(answers(discord)).toEqual(EXPECTED.slice(0, 6));

    const second = await startService(project, env);
    await isReady(second);

    expect(await seenAtTheEnd(second, discord)).toEqual(EXPECTED);
  });

  it("answers those that were said while it was dead, each once and in order", async () => {
    const { discord, env } = await openTown();
    const project = createProject(PROJECT);
    const first = await startService(project, env);
    await isReady(first);
    discord.person("ann").say("general", "good morning");
    await hasTaken(first, discord, 1);
    first.signal("SIGKILL");
    await first.exited;

    mention(discord);
    const second = await startService(project, env);
    await isReady(second);

    expect(await seenAtTheEnd(second, discord)).toEqual(EXPECTED);
  });
});

describe("A service whose way to Discord is gone for a while", { timeout: 180_000 }, () => {
  it.each([
    ["the session can be taken up again", false],
    ["the session is gone", true],
  ])("answers what was said meanwhile, each once and in order, when %s", async (_, isForgotten) => {
    const { discord, env } = await openTown();
    const service = await startService(createProject(PROJECT), env);
    await isReady(service);
    discord.person("ann").say("general", "good morning");
    await hasTaken(service, discord, 1);

    await discord.down();
    mention(discord);
    if (isForgotten) discord.gateway.forgetSessions();
    await discord.up();

    expect(await seenAtTheEnd(service, discord)).toEqual(EXPECTED);
  });
});

describe("A service on Discord with every third post going wrong", { timeout: 300_000 }, () => {
  it.each<[string, Fault]>([
    ["taken and the connection dropped", { kind: "accept-then-drop" }],
    ["taken and answered with a 502", { kind: "accept-then-status", status: 502 }],
  ])("shows each answer once when it is %s", async (_, fault) => {
    const { discord, env } = await openTown();
    const service = await startService(createProject(PROJECT), env);
    await isReady(service);
    discord.faults.add({ method: "execute_webhook", every: 3, fault });

    mention(discord);

    expect(await seenAtTheEnd(service, discord)).toEqual(EXPECTED);
    const went = discord.recorder
      .of("execute_webhook")
      .filter(({ isWithheld, outcome }) => isWithheld || outcome !== "ok");
    expect(went.length).toBeGreaterThan(4);
  });
});
