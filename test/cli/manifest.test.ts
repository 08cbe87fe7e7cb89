import { describe, expect, it } from "vitest";
import * as z from "zod";
import { missingScopes } from "../../adapters/slack/setup/preflight.js";
import { FAMILIES } from "../../src/engine/commands/table.js";
import { createProject, runCli, scriptedPersona } from "../support/cli.js";

const manifestSchema = z.object({
  display_information: z.object({ name: z.string().max(35), description: z.string().max(140).optional() }),
  features: z.object({
    bot_user: z.object({ display_name: z.string().regex(/^[a-z0-9._-]{1,80}$/), always_online: z.boolean() }),
    slash_commands: z
      .array(
        z.object({
          command: z.string(),
          url: z.string().optional(),
          usage_hint: z.string().max(1000),
          should_escape: z.literal(true),
        }),
      )
      .default([]),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({
    event_subscriptions: z.object({ request_url: z.string().optional(), bot_events: z.array(z.string()) }).optional(),
    interactivity: z.object({ is_enabled: z.literal(true), request_url: z.string().optional() }).optional(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.literal(false),
  }),
});

async function printed(args: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const { code, stdout, stderr } = await runCli(["manifest", "slack", ...args], { cwd: createProject(), ...options });
  expect([code, stderr]).toEqual([0, ""]);
  return manifestSchema.parse(JSON.parse(stdout));
}

async function refused(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await runCli(["manifest", "slack", ...args], { cwd: createProject(files) });
  expect(stdout).toBe("");
  return { code, stderr };
}

describe("troupe manifest slack", () => {
  it("grants every right that the preflight demands, and is for Socket Mode without a configuration", async () => {
    const { oauth_config, settings, features } = await printed([]);

    expect(missingScopes(new Set(oauth_config.scopes.bot))).toEqual([]);
    expect(settings.socket_mode_enabled).toBe(true);
    expect(JSON.stringify([settings, features])).not.toContain("url");
  });

  it("demands nothing that the preflight does not look for", async () => {
    const { oauth_config } = await printed([]);
    const demanded = missingScopes(new Set()).map(({ scope }) => scope);

    expect(oauth_config.scopes.bot.toSorted()).toEqual(demanded.toSorted());
  });

  it("subscribes to messages of every kind of conversation, to mentions, and to the end of the app", async () => {
    const { settings } = await printed([]);

    expect(settings.event_subscriptions?.bot_events).toEqual([
      "app_mention",
      "app_uninstalled",
      "message.channels",
      "message.groups",
      "message.im",
      "message.mpim",
      "tokens_revoked",
    ]);
  });

  it("lists the commands of the table, each once", async () => {
    const { features } = await printed([]);

    const listed = features.slash_commands.map(({ command, usage_hint }) => [command, usage_hint.split(" | ")]);
    expect(listed).toEqual(FAMILIES.map(({ name, commands }) => [`/${name}`, commands.map((one) => one.name)]));
    expect(listed.map(([command]) => command)).toEqual(["/agent", "/schedule"]);
  });

  it.each([
    ["--http", ["--http", "https://troupe.example.org/"], {}],
    ["the file", [], { "troupe.yaml": "slack: { mode: http }\nweb: { public_url: https://troupe.example.org }" }],
  ])("names the service's address everywhere when %s asks for HTTP", async (_, args, files) => {
    const { settings, features } = await printed(args, { cwd: createProject(files) });

    const url = "https://troupe.example.org/slack/events";
    expect(settings).toMatchObject({
      socket_mode_enabled: false,
      event_subscriptions: { request_url: url },
      interactivity: { request_url: url },
    });
    expect(features.slash_commands.map((command) => command.url)).toEqual([url, url]);
  });

  it("needs no valid configuration with --http", async () => {
    const cwd = createProject({ "troupe.yaml": "taem: ours" });

    await printed(["--http", "https://troupe.example.org"], { cwd });
  });

  it("is, for a persona's own app, what it takes to speak and to be mentioned", async () => {
    const long = scriptedPersona("alpha", "say: Hi.").replace(
      /^description: .*$/m,
      `description: ${"very ".repeat(50)}long`,
    );

    const { display_information, features, oauth_config, settings } = await printed(["--persona", "alpha"], {
      cwd: createProject({ "troupe.yaml": "", "personas/alpha.md": long }),
    });

    expect(display_information.description).toMatch(/…$/);
    expect(features.bot_user.display_name).toBe("alpha");
    expect(oauth_config.scopes.bot).toEqual(["chat:write"]);
    expect([settings.event_subscriptions, settings.interactivity]).toEqual([undefined, undefined]);
  });

  it.each([
    ["HTTP without an address", [], { "troupe.yaml": "slack: { mode: http }" }, /web\.public_url.*--http\n$/],
    ["a persona that is none", ["--persona", "alhpa"], {}, /there is no persona alhpa: did you mean alpha\?\n$/],
  ])("ends with 1 and the mend for %s", async (_, args, files, words) => {
    const { code, stderr } = await refused(args, files);

    expect([code, stderr]).toEqual([1, expect.stringMatching(words)]);
  });

  it.each(["http://troupe.example.org", "https://troupe.example.org/path", "troupe.example.org"])(
    "ends with 2 for an address that Slack does not take: %s",
    async (url) => {
      const { code, stderr } = await refused(["--http", url]);

      expect([code, stderr]).toEqual([2, expect.stringContaining("https address without a path")]);
    },
  );
});
