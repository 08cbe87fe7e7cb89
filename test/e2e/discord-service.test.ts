import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startFakeDiscord } from "../fakes/discord/server.js";
import { createProject, type RunningService, runCli, scriptedPersona, startCli, startService } from "../support/cli.js";
import { call } from "../support/http-client.js";

const LOG_IMPORTS = resolve(import.meta.dirname, "../support/log-imports.mjs");
const ALPHA = {
  "troupe.yaml": "discord: {}\n",
  "personas/alpha.md": scriptedPersona("alpha", 'say: "Here I am: {{text}}"'),
};

/** A server `home` with ann, who owns it, and the bot, in the time of this machine. */
async function openTown() {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.close());
  const { workspace } = discord;
  workspace.addUser({ name: "ann", displayName: "Ann" });
  workspace.addGuild({ name: "home", owner: "ann", members: ["troupe"] });
  workspace.addChannel({ name: "general" });
  return {
    discord,
    ann: discord.person("ann"),
    env: { DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: discord.token },
  };
}

/** Resolves when the service says of itself that nothing is missing. */
async function isReady({ port }: RunningService): Promise<void> {
  await vi.waitFor(async () => expect((await call(port, "/readyz")).status).toBe(200), 30_000);
}

describe("A service without Discord's token", { timeout: 60_000 }, () => {
  it("loads nothing of Discord's", async () => {
    const cwd = createProject(ALPHA);
    const log = join(cwd, "imports");
    writeFileSync(log, "");
    const running = startCli(["start", "--port", "0"], { cwd, env: { IMPORTS_LOG: log }, imports: [LOG_IMPORTS] });

    await running.written(/^Web room: /m);

    const imports = readFileSync(log, "utf8").split("\n");
    expect(imports).toContain("hono");
    expect(imports.filter((name) => /^(discord\.js|@discordjs\/)|adapters\/discord\//.test(name))).toEqual([]);
  });
});

describe("A service with Discord's token", { timeout: 60_000 }, () => {
  it("answers under the persona's name and to /agent, and keeps the token out of its log", async () => {
    const { discord, ann, env } = await openTown();
    const service = await startService(createProject(ALPHA), { ...env, TROUPE_LOG_LEVEL: "debug" });
    await isReady(service);
    await discord.recorder.until(() => discord.app.commands.size === 2);

    ann.say("general", "@alpha are you there?");
    await discord.recorder.until(() => [...discord.workspace.channels.values()].find(isAnswered));
    const asked = ann.command("general", "/agent", "room");
    await discord.recorder.until(() => !asked.isThinking && asked.original);
    service.signal("SIGTERM");
    const { code, stderr } = await service.exited;

    expect(asked.original?.content).toContain("**alpha**");
    expect(code).toBe(0);
    expect(stderr).not.toContain(discord.token);
    for (const { token } of discord.workspace.webhooks.values()) expect(stderr).not.toContain(token);
    expect(discord.gateway.open("troupe")).toEqual([]);
  });

  it("stays up with its web room when Discord refuses the token, and says so", async () => {
    const { env } = await openTown();
    const project = createProject(ALPHA);
    const service = await startService(project, { ...env, DISCORD_TOKEN: "not.a.token" });
    await service.written(/an adapter could not start/);

    const ready = await call(service.port, "/readyz");
    const doctor = await runCli(["doctor"], { cwd: project, env });

    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/^problem +service +runs at .*, not ready: discord: Discord refuses DISCORD_TOKEN/m);
    expect(doctor.stdout).toMatch(/^ok +discord +DISCORD_TOKEN is good/m);
    expect(JSON.parse(ready.text)).toEqual({
      ready: false,
      missing: [expect.stringMatching(/^discord: Discord refuses DISCORD_TOKEN \(401\): .*restart\.$/)],
    });
    expect((await call(service.port, "/api/rooms", { key: service.key })).status).toBe(200);
  });

  it("says which switch to turn while the bot may not read messages", async () => {
    const { discord, env } = await openTown();
    discord.app.privileges.clear();
    const service = await startService(createProject(ALPHA), env);
    await service.written(/an adapter could not start/);

    const ready = await call(service.port, "/readyz");

    expect(JSON.parse(ready.text)).toMatchObject({ missing: [expect.stringContaining("Message Content Intent")] });
  });
});

function isAnswered({ messages }: { readonly messages: readonly { readonly content: string }[] }): boolean {
  return messages.some(({ content }) => content.includes("Here I am: "));
}
