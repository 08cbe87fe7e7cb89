import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/config-file.js";
import { formatProblem } from "../../src/config/problem.js";

function problemsOf(text: string): readonly string[] {
  return parseConfig(text, "troupe.yaml").problems.map(formatProblem);
}

describe("the configuration file", () => {
  it.each([
    ["nothing", ""],
    ["comments only", "# nothing here\n"],
    ["a byte order mark only", "\ufeff"],
    ["keys without values", "team:\nrooms:\n  defaults:\nadmins:\ndefault_persona:\nweb: { public_url: }\n"],
  ])("is valid with %s, and gives every default", (_, text) => {
    const { settings, problems } = parseConfig(text, "troupe.yaml");

    expect(problems).toEqual([]);
    expect(settings).toEqual({
      version: 1,
      team: "troupe",
      multi_agent: { fanout: 1 },
      pair_guard: {
        enabled: true,
        alternations: 10,
        repeats: 3,
        similarity: 90,
        max_messages: 20,
        window_secs: 600,
        held_max: 50,
        resume: "members",
      },
      limits: { max_concurrent_turns: 32, turn_timeout_secs: 300, max_steps: 12 },
      schedules: { min_interval_secs: 60, max_per_persona: 10, max_per_room: 20 },
      rooms: { defaults: { personas: "all", bots: [], wake: "mention", reply: "thread" }, overrides: {} },
      admins: {},
      slack: { pace: 1 },
      discord: {},
      catch_up_minutes: 60,
      web: { host: "127.0.0.1", port: 8730 },
    });
  });

  it("reads every key that it knows", () => {
    const text = [
      "version: 1",
      "team: acme",
      "personas: ./people",
      "default_persona: alpha",
      "default_model: openai-compatible:llama3.1",
      "multi_agent: { burst_budget: 9, fanout: 2 }",
      "pair_guard: { enabled: false, alternations: 2, repeats: 1000, similarity: 100, max_messages: 0, window_secs: 86400,",
      "  held_max: 1, resume: admins, notify_command: [./page-me.sh, --urgent] }",
      "limits: { max_concurrent_turns: 2, turn_timeout_secs: 30, max_steps: 3 }",
      "schedules: { min_interval_secs: 300, max_per_persona: 2, max_per_room: 0 }",
      "rooms:",
      "  defaults: { personas: [alpha, beta], bots: [B1], wake: always, reply: channel }",
      '  overrides: { "discord:900:901": { personas: all, host: alpha, wake: mention, reply: thread, bots: [] } }',
      'admins: { slack: [U0ADMIN], discord: ["200"] }',
      "slack: { mode: http, pace: 0 }",
      "discord: {}",
      "catch_up_minutes: 0",
      "web: { host: 0.0.0.0, port: 0, public_url: https://troupe.example.org/ }",
    ].join("\r\n");

    const { settings, problems } = parseConfig(text, "troupe.yaml");

    expect(problems).toEqual([]);
    expect(settings.web.public_url).toBe("https://troupe.example.org");
    expect(settings.pair_guard.notify_command).toEqual(["./page-me.sh", "--urgent"]);
    expect(settings.admins).toEqual({ slack: ["U0ADMIN"], discord: ["200"] });
    expect([settings.slack, settings.catch_up_minutes]).toEqual([{ mode: "http", pace: 0 }, 0]);
    expect(settings.schedules).toEqual({ min_interval_secs: 300, max_per_persona: 2, max_per_room: 0 });
    expect(settings.rooms.overrides["discord:900:901"]?.host).toBe("alpha");
  });

  it("reports every problem at its place, with the key and the mend", () => {
    const text = [
      "version: 2",
      "team: 2024",
      "burst_budget: 3",
      "multi_agent: { bursst_budget: 9, fanout: 0 }",
      "rooms:",
      "  defaults: { personas: [alpha, alpha], wake: never }",
      "  overrides:",
      '    "discord:900": { wake: always }',
      "    web:local:UPPER: {}",
      "workers: { idle_timeout_secs: 60 }",
      "admins: { discord: [123456789012345678] }",
      "web: { public_url: https://troupe.example.org/path }",
    ].join("\n");

    expect(problemsOf(text)).toEqual(
      expect.arrayContaining([
        "troupe.yaml:1:10: must be 1 (version)",
        expect.stringMatching(/^troupe\.yaml:2:7: must be one line .*\(team\) — put it in quotes: "2024"$/),
        "troupe.yaml:3:1: is not a known key (burst_budget) — did you mean multi_agent.burst_budget?",
        "troupe.yaml:4:16: is not a known key (multi_agent.bursst_budget) — did you mean burst_budget?",
        "troupe.yaml:4:42: must be a whole number from 1 to 100 (multi_agent.fanout)",
        "troupe.yaml:6:33: is in the list twice (rooms.defaults.personas[1])",
        "troupe.yaml:6:47: must be mention or always (rooms.defaults.wake)",
        'troupe.yaml:8:5: must be a room id, platform:space:channel (rooms.overrides."discord:900")',
        expect.stringMatching(/^troupe\.yaml:9:5: must be web:local:NAME/),
        expect.stringMatching(/^troupe\.yaml:10:1: is not a known key \(workers\) — known keys: version, team/),
        expect.stringMatching(/^troupe\.yaml:11:21: .*put it in quotes: "123456789012345678"$/),
        expect.stringMatching(/^troupe\.yaml:12:20: must be an http or https address without a path/),
      ]),
    );
    expect(problemsOf(text)).toHaveLength(12);
  });

  it("suggests the key that was meant at any depth", () => {
    expect(problemsOf("rooms: { overrides: { 'slack:T1:C1': { hosts: alpha } } }")).toEqual([
      'troupe.yaml:1:40: is not a known key (rooms.overrides."slack:T1:C1".hosts) — did you mean host?',
    ]);
  });

  it("refuses a secret wherever it stands, and never shows it", () => {
    const problems = problemsOf("slack:\n  bot_token: xoxb-1234\nadmin_token: hunter2\nweb: { api-key: sk-9 }\n");

    expect(problems.filter((problem) => problem.includes("secrets are never read from this file"))).toHaveLength(3);
    expect(problems.join()).toContain("a variable ending in _FILE");
    expect(problems.join()).not.toMatch(/xoxb|hunter2|sk-9/);
    expect(problems).toHaveLength(3);
  });

  it.each([
    [
      "a tab as indentation",
      "web:\n\tport: 1\n",
      /^troupe\.yaml:2:1: tabs are not allowed as indentation — indent with spaces$/,
    ],
    [
      "a key that is there twice",
      "team: a\nteam: b\n",
      /^troupe\.yaml:2:1: the key is given twice \(team\) — keep one of them$/,
    ],
    ["an open bracket", "admins: { slack: [U1\nteam: a\n", /^troupe\.yaml:2:/],
    ["a second document", "team: a\n---\nteam: b\n", /remove the second ---/],
    ["an unknown alias", "team: *nobody\n", /^troupe\.yaml:1:7: there is no anchor/],
    ["no map at all", "just words\n", /^troupe\.yaml:1:1: must be a map of keys$/],
    ["a list at the top", "- a\n", /^troupe\.yaml:1:1: must be a map of keys$/],
  ])("says where %s is", (_, text, expected) => {
    expect(problemsOf(text)).toContainEqual(expect.stringMatching(expected));
  });

  it("goes on to the other problems when a key is there twice", () => {
    expect(problemsOf("team: a\nteam: b\nport: 1\n")).toEqual([
      "troupe.yaml:2:1: the key is given twice (team) — keep one of them",
      "troupe.yaml:3:1: is not a known key (port) — did you mean web.port?",
    ]);
  });

  it("refuses aliases that multiply", () => {
    const levels = Array.from({ length: 9 }, (_, n) => `x${n + 1}: &x${n + 1} [${Array(9).fill(`*x${n}`).join(", ")}]`);

    expect(problemsOf(["x0: &x0 [lol]", ...levels].join("\n"))).toContainEqual(
      expect.stringContaining("too many aliases"),
    );
  });

  it("refuses an alias to what holds it", () => {
    expect(problemsOf("team: &x [*x]").length).toBeGreaterThan(0);
  });

  it("refuses nesting without end", () => {
    expect(problemsOf(`team: ${"[".repeat(100_000)}`)).not.toEqual([]);
  });

  it("shows hidden characters escaped", () => {
    expect(problemsOf('"te\\u202eam": a\n')[0]).toContain("\\u{202e}");
  });

  it("takes no key for one of an object's own", () => {
    expect(problemsOf("__proto__: { team: a }\nconstructor: 1\n").length).toBeGreaterThanOrEqual(1);
    expect(
      parseConfig("rooms: { overrides: { __proto__: { wake: always } } }", "troupe.yaml").settings.rooms.overrides,
    ).toEqual({});
  });

  it("never throws, whatever the text", () => {
    const words = fc.constantFrom(
      "team",
      "rooms",
      ": ",
      "\n",
      "  ",
      "- ",
      "{",
      "}",
      "[",
      "]",
      "&a ",
      "*a",
      "? ",
      "|",
      ">",
      "'",
      '"',
      "!!x ",
      "\t",
      "#",
      "---\n",
      "0",
      "null",
      "<<",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(words, { maxLength: 40 }).map((parts) => parts.join("")),
    );

    fc.assert(
      fc.property(text, (input) => {
        for (const problem of parseConfig(input, "troupe.yaml").problems) {
          expect(problem.line).toBeGreaterThanOrEqual(1);
          expect(problem.column).toBeGreaterThanOrEqual(1);
          expect(formatProblem(problem)).not.toMatch(/\p{Cc}/u);
        }
      }),
      { numRuns: 150 },
    );
  });
});
