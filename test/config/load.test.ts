import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { formatProblem, InvalidConfigError } from "../../src/config/problem.js";
import { GUARD_DEFAULTS } from "../../src/domain/guard-settings.js";
import { createProject, type Project, packageDir, persona } from "./project.js";

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

describe("loading the configuration", () => {
  it("works without a file: defaults and the demo personas", async () => {
    const project = projectOf({ "personas/own.md": persona("own") });
    const config = await project.load();

    expect(config).toMatchObject({
      team: "troupe",
      burstBudget: { value: 6, source: "default" },
      fanout: 1,
      pairGuard: { settings: GUARD_DEFAULTS, resume: "members" },
      limits: { maxConcurrentTurns: 32, turnTimeoutMs: 300_000, maxSteps: 12 },
      schedules: { minIntervalMs: 60_000, maxPerPersona: 10, maxPerRoom: 20 },
      admins: {},
      web: { host: "127.0.0.1", port: 8730 },
      dataDir: join(project.dir, "data"),
      logLevel: "info",
      models: {},
      warnings: [],
    });
    expect(config.personas.map(({ name }) => name)).toEqual(["alpha", "beta"]);
    expect(config.personaFolder.dir).toBe(join(packageDir, "demo", "personas"));
    expect(config).not.toHaveProperty("file");
  });

  it("takes the personas beside the file", async () => {
    const project = projectOf({
      "conf/troupe.yaml": "team: acme",
      "conf/personas/own.md": persona("own"),
      "personas/x.md": "",
    });
    const config = await project.load({ file: "conf/troupe.yaml" });

    expect(config.personas.map(({ name }) => name)).toEqual(["own"]);
    expect(config.file).toBe(join(project.dir, "conf", "troupe.yaml"));
    expect(config.dataDir).toBe(join(project.dir, "data"));
  });

  it("takes the demo personas for an empty file without personas beside it", async () => {
    const config = await projectOf({ "conf/troupe.yaml": "" }).load({ file: "conf/troupe.yaml" });

    expect(config.personas.map(({ name }) => name)).toEqual(["alpha", "beta"]);
  });

  it("prefers flag to environment to file to default", async () => {
    const project = projectOf({
      "troupe.yaml":
        "multi_agent: { burst_budget: 9 }\nweb: { host: ::1, port: 1001, public_url: https://a.example.org }\ndefault_model: openai:a\n",
    });
    const env = {
      TROUPE_BURST_BUDGET: "11",
      TROUPE_HOST: "127.0.0.2",
      TROUPE_PORT: "1002",
      TROUPE_PUBLIC_URL: "https://b.example.org",
      TROUPE_DEFAULT_MODEL: "openai:b",
      TROUPE_DATA_DIR: "from-env",
      TROUPE_LOG_LEVEL: "debug",
    };

    const file = await project.load();
    const environment = await project.load({ env });
    const flags = await project.load({ env, flags: { port: "1003", data: "/from/flag" } });

    expect(file).toMatchObject({
      burstBudget: { value: 9, source: "configuration" },
      web: { host: "::1", port: 1001, publicUrl: "https://a.example.org" },
      defaultModel: "openai:a",
    });
    expect(environment).toMatchObject({
      burstBudget: { value: 11, source: "configuration" },
      web: { host: "127.0.0.2", port: 1002, publicUrl: "https://b.example.org" },
      defaultModel: "openai:b",
      dataDir: join(project.dir, "from-env"),
      logLevel: "debug",
    });
    expect(flags).toMatchObject({ web: { port: 1003 }, dataDir: "/from/flag" });
  });

  it("takes the file that TROUPE_CONFIG names, unless a flag names one", async () => {
    const project = projectOf({ "a.yaml": "team: a", "b.yaml": "team: b", "troupe.yaml": "team: c" });

    expect((await project.load()).team).toBe("c");
    expect((await project.load({ env: { TROUPE_CONFIG: "a.yaml" } })).team).toBe("a");
    expect((await project.load({ env: { TROUPE_CONFIG: "a.yaml" }, file: "b.yaml" })).team).toBe("b");
  });

  it("takes a variable that is set to nothing for one that is not set", async () => {
    const env = { TROUPE_PORT: "", TROUPE_ADMIN_TOKEN: " ", ANTHROPIC_API_KEY: "", TROUPE_CONFIG: "" };

    expect(await projectOf().load({ env })).not.toHaveProperty("adminToken");
  });

  it("reads secrets from the environment or from the files that it names", async () => {
    const project = projectOf({ "secret/token": "  t0ken-of-16-chars\n", "secret/key": "k3y" });
    const env = {
      TROUPE_ADMIN_TOKEN_FILE: "secret/token",
      ANTHROPIC_API_KEY_FILE: join(project.dir, "secret/key"),
      OPENAI_API_KEY: "open",
      GOOGLE_GENERATIVE_AI_API_KEY: "goo",
      OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:11434/v1/",
    };

    expect(await project.load({ env })).toMatchObject({
      adminToken: "t0ken-of-16-chars",
      models: {
        anthropic: { apiKey: "k3y" },
        openai: { apiKey: "open" },
        google: { apiKey: "goo" },
        "openai-compatible": { baseUrl: "http://127.0.0.1:11434/v1" },
      },
    });
  });

  it.each([
    ["TROUPE_ADMIN_TOKEN", { TROUPE_ADMIN_TOKEN: "hunter2-hunter2" }],
    ["TROUPE_ADMIN_TOKEN_FILE", { TROUPE_ADMIN_TOKEN_FILE: "token" }],
  ])("refuses a key of fewer than 16 characters in %s, without showing it", async (name, env) => {
    expect(await said(projectOf({ token: "hunter2-hunter2\n" }), { env })).toEqual([
      `environment: must have at least 16 characters: a shorter key can be guessed (${name}) — make one with \`openssl rand -hex 24\``,
    ]);
  });

  it("names the variable that is wrong, and shows no secret", async () => {
    const project = projectOf({ empty: "", "two words": "hunter two" });
    const problems = await said(project, {
      env: {
        TROUPE_PORT: "80x",
        TROUPE_HOST: "a b",
        TROUPE_BURST_BUDGET: "0",
        TROUPE_LOG_LEVEL: "loud",
        TROUPE_PUBLIC_URL: "troupe.example.org",
        TROUPE_DEFAULT_MODEL: "gpt-5",
        OPENAI_COMPATIBLE_BASE_URL: "localhost:11434",
        ANTHROPIC_API_KEY: "hunter2",
        ANTHROPIC_API_KEY_FILE: "x",
        OPENAI_API_KEY_FILE: "nowhere",
        GOOGLE_GENERATIVE_AI_API_KEY_FILE: "empty",
        TROUPE_ADMIN_TOKEN_FILE: "two words",
        OPENAI_COMPATIBLE_API_KEY: "hunter\u00fc",
      },
      flags: { port: "-1" },
    });

    for (const expected of [
      "command line: must be a whole number from 0 to 65535 (--port)",
      "environment: must be a whole number from 0 to 65535 (TROUPE_PORT)",
      "environment: must be a host name or an IP address (TROUPE_HOST)",
      "environment: must be a whole number of at least 1 (TROUPE_BURST_BUDGET)",
      "environment: must be silent or error or warn or info or debug (TROUPE_LOG_LEVEL)",
      "environment: ANTHROPIC_API_KEY and ANTHROPIC_API_KEY_FILE are both set (ANTHROPIC_API_KEY) — set one of them",
      "environment: the file that it names does not exist (OPENAI_API_KEY_FILE) — check the path",
      "environment: the file that it names is empty (GOOGLE_GENERATIVE_AI_API_KEY_FILE) — write the secret into it",
      "environment: must be printable ASCII without spaces (TROUPE_ADMIN_TOKEN_FILE)",
      "environment: must be printable ASCII without spaces (OPENAI_COMPATIBLE_API_KEY)",
      "environment: must be an http or https address, such as http://127.0.0.1:11434/v1 (OPENAI_COMPATIBLE_BASE_URL)",
    ]) {
      expect(problems).toContain(expected);
    }
    expect(problems).toContainEqual(expect.stringMatching(/must be provider:model .*\(TROUPE_DEFAULT_MODEL\)$/));
    expect(problems).toContainEqual(expect.stringMatching(/without a path.*\(TROUPE_PUBLIC_URL\)$/));
    expect(problems.join()).not.toContain("hunter");
    expect(problems).toHaveLength(13);
  });

  it("warns of a variable that is one slip away from a known one", async () => {
    const env = { TROUPE_BURST_BUGDET: "9", TROUPE_SOMETHING_ELSE: "1", TROUPE_PRINT_KEY: "1" };

    expect((await projectOf().load({ env })).warnings.map(formatProblem)).toEqual([
      "environment: is not a known variable (TROUPE_BURST_BUGDET) — did you mean TROUPE_BURST_BUDGET?",
    ]);
  });

  it("refuses personas that do not exist, wherever they are named", async () => {
    const project = projectOf({
      "troupe.yaml": [
        "default_persona: alhpa",
        "rooms:",
        "  defaults: { personas: [alpha, gamma] }",
        "  overrides:",
        "    discord:900:901: { personas: [beta], host: alpha }",
        "    discord:900:902: { host: Alpha }",
        "    discord:900:903: { host: delta }",
        "    discord:900:904: { personas: [beta], host: beta }",
        "    web:local:main: { wake: mention, reply: thread }",
      ].join("\n"),
      "personas/alpha.md": persona("alpha"),
      "personas/beta.md": persona("beta"),
    });

    expect(await said(project)).toEqual([
      'troupe.yaml:1:18: there is no persona "alhpa" (default_persona) — did you mean alpha?',
      'troupe.yaml:3:33: there is no persona "gamma" (rooms.defaults.personas[1]) — known personas: alpha, beta',
      `troupe.yaml:5:48: "alpha" is no member of this room (rooms.overrides."discord:900:901".host) — add it to the room's personas`,
      expect.stringMatching(/^troupe\.yaml:6:30: must be a persona's name/),
      'troupe.yaml:7:30: there is no persona "delta" (rooms.overrides."discord:900:903".host) — did you mean beta?',
      expect.stringMatching(/^troupe\.yaml:9:23: has no effect in the web room/),
      expect.stringMatching(/^troupe\.yaml:9:38: has no effect in the web room/),
    ]);
  });

  it("does not take the persona of a broken file for one that does not exist", async () => {
    const project = projectOf({
      "troupe.yaml": "default_persona: alpha",
      "personas/alpha.md": "---\nname: alpha\nbrain: x\n---\n",
    });

    expect(await said(project)).toEqual(["personas/alpha.md:3:8: must be llm or script (brain)"]);
  });

  it("gives what a room's start says", async () => {
    const project = projectOf({
      "troupe.yaml":
        "rooms: { overrides: { 'slack:T1:C1': { host: alpha, reply: channel } } }\nadmins: { slack: [U1] }",
    });
    const { rooms, admins } = await project.load();

    expect(rooms.defaults).toEqual({ personas: "all", bots: [], wake: "mention", reply: "thread" });
    expect([...rooms.overrides]).toEqual([["slack:T1:C1", { host: "alpha", reply: "channel" }]]);
    expect(admins).toEqual({ slack: ["U1"] });
  });

  it("reports the file, the personas and the environment at once, in file order", async () => {
    const project = projectOf({
      "troupe.yaml": "team: 1\nx: 2",
      "personas/b.md": "",
      "personas/a.md": "---\nname: B\n---",
    });

    expect((await project.problems({ env: { TROUPE_PORT: "x" } })).map(({ file, line }) => [file, line])).toEqual([
      ["environment", undefined],
      ["personas/a.md", 2],
      ["personas/a.md", 2],
      ["personas/b.md", 1],
      ["troupe.yaml", 1],
      ["troupe.yaml", 2],
    ]);
  });

  it.each([
    ["that is not there", "nowhere.yaml", "nowhere.yaml: does not exist — check the path"],
    ["that is a folder", "personas", "personas: is no file — name a file"],
    ["that is too large", "large.yaml", "large.yaml: is larger than 256 KiB — shorten it"],
  ])("refuses a file %s", async (_, file, expected) => {
    const project = projectOf({ "large.yaml": "#".repeat(300_000), "personas/alpha.md": persona("alpha") });

    expect(await said(project, { file })).toEqual([expected]);
  });

  it("refuses a folder without personas", async () => {
    const project = projectOf({ "troupe.yaml": "personas: ./people", "people/README.md": "none yet" });

    expect(await said(project)).toEqual([
      "people: holds no persona file (personas) — write a persona file, such as alpha.md, or let troupe init write examples",
    ]);
  });

  it("warns of a model without its key, and refuses it only when strict", async () => {
    const project = projectOf({ "troupe.yaml": "", "personas/a.md": "---\nname: a\nmodel: openai:gpt-5\n---\nHi" });
    const expected =
      "personas/a.md:3:8: openai:gpt-5 needs OPENAI_API_KEY, which is not set (model) — set OPENAI_API_KEY in the environment";

    expect((await project.load()).warnings.map(formatProblem)).toEqual([expected]);
    expect(await said(project, { strict: true })).toEqual([expected]);
    expect((await project.load({ strict: true, env: { OPENAI_API_KEY: "k" } })).warnings).toEqual([]);
  });

  it("never fails with anything but a list of problems, whatever the files hold", async () => {
    const project = projectOf({ "troupe.yaml": "", "personas/a.md": persona("alpha") });
    const words = fc.constantFrom(
      "personas",
      "team",
      "web",
      ": ",
      "\n",
      "  ",
      "{",
      "}",
      "[",
      "]",
      "*a",
      "&a",
      "---\n",
      "..",
      "/",
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(words, { maxLength: 20 }).map((parts) => new TextEncoder().encode(parts.join(""))),
    );

    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (config, file) => {
        project.write("troupe.yaml", config);
        project.write("personas/b.md", file);
        const error = await project.load().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(error === undefined || error instanceof InvalidConfigError).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it("is an error for the operator, with one line per error and no warnings in its message", async () => {
    const project = projectOf({ "troupe.yaml": "x: 1\ny: 2", "personas/a.md": persona("a", "color: red\n") });
    const error = await project.load().catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(InvalidConfigError);
    expect(error).toMatchObject({ code: "config_invalid", retryable: false, problems: { length: 3 } });
    expect(String(error).split("\n")).toHaveLength(2);
  });
});
