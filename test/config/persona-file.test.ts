import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelChoice } from "../../src/config/persona-fields.js";
import { type ParsedPersona, parsePersona } from "../../src/config/persona-file.js";
import { formatProblem } from "../../src/config/problem.js";

const models: ModelChoice = {
  defaultModel: "openai:gpt-5",
  access: { openai: { apiKey: "k" } },
  missingAccess: "warning",
};

function parse(text: string, choice: ModelChoice = models): ParsedPersona & { said: readonly string[] } {
  const parsed = parsePersona({ file: "alpha.md", text, models: choice });
  return { ...parsed, said: parsed.problems.map((problem) => `${problem.severity}: ${formatProblem(problem)}`) };
}

function withFrontMatter(yaml: string, choice?: ModelChoice) {
  return parse(`---\n${yaml}\n---\nYou are Alpha.\n`, choice);
}

describe("a persona file", () => {
  it("gives name, identity, prompt and model", () => {
    const { persona, said } = withFrontMatter(
      'name: alpha\ndisplay_name: Alpha\ndescription: Plans.\navatar: ":compass:"\nmodel: openai:gpt-5-mini\ntools: [send_message, list_*]',
    );

    expect(said).toEqual([]);
    expect(persona).toEqual({
      name: "alpha",
      displayName: "Alpha",
      description: "Plans.",
      avatar: ":compass:",
      prompt: "You are Alpha.",
      brain: "llm",
      model: "openai:gpt-5-mini",
      tools: ["send_message", "list_*"],
    });
  });

  it("needs nothing but a name, and takes the rest from defaults", () => {
    expect(parse("---\nname: a\n---").persona).toEqual({
      name: "a",
      displayName: "a",
      description: "",
      prompt: "",
      brain: "llm",
      model: "openai:gpt-5",
    });
  });

  it("keeps a prompt with rules, Windows line ends and a byte order mark", () => {
    const { persona } = parse("---\r\nname: a\r\n---\r\nOne.\r\n\r\n---\r\nTwo.\u0000\r\n");

    expect(persona?.prompt).toBe("One.\n\n---\nTwo.");
  });

  it("reads a script with all kinds of steps and the short form", () => {
    const { persona, said } = withFrontMatter(
      [
        "name: alpha",
        "script:",
        '  - when: "review"',
        "    times: 1",
        "    steps:",
        "      - { tool: send_message, input: { to: beta, text: Hi } }",
        "      - { delay_ms: 50 }",
        "      - { say: Looking. }",
        "      - { fail: broken }",
        "  - say: Nothing to add.",
        "  - { when: bye, say: Bye. }",
        "  - { when: silence, steps: [] }",
      ].join("\n"),
    );

    expect(said).toEqual([]);
    expect(persona?.brain).toBe("script");
    expect(persona?.model).toBeUndefined();
    expect(persona?.script).toEqual([
      {
        when: "review",
        times: 1,
        steps: [
          { tool: "send_message", input: { to: "beta", text: "Hi" } },
          { delayMs: 50 },
          { say: "Looking." },
          { fail: "broken" },
        ],
      },
      { steps: [{ say: "Nothing to add." }] },
      { when: "bye", steps: [{ say: "Bye." }] },
      { when: "silence", steps: [] },
    ]);
  });

  describe("made for another agent tool", () => {
    it("loads unchanged, with warnings for what has no meaning here", () => {
      const { persona, said } = withFrontMatter(
        "name: code-reviewer\ndescription: Reviews code.\ntools: Read, Grep, Bash\nmodel: sonnet\ncolor: red",
      );

      expect(persona).toMatchObject({ name: "code-reviewer", model: "openai:gpt-5", brain: "llm" });
      expect(persona).not.toHaveProperty("tools");
      expect(said).toEqual([
        "warning: alpha.md:6:1: is not a known key and has no effect (color)",
        expect.stringMatching(/^warning: alpha\.md:5:8: is no model known here, so the default model serves \(model\)/),
        expect.stringMatching(
          /^warning: alpha\.md:4:8: "Read", "Grep", "Bash": not known here, so all room tools are allowed/,
        ),
      ]);
    });

    it("keeps the known tools of a mixed list", () => {
      const { persona, said } = withFrontMatter("name: a\ntools: Read, send_message, idle");

      expect(persona?.tools).toEqual(["send_message", "idle"]);
      expect(said).toEqual([expect.stringContaining('"Read": not known here, and are passed over')]);
    });

    it("may have a description with a colon, which YAML does not take", () => {
      const { persona, said } = withFrontMatter(
        'name: a\ndescription: Use it when: the user says "go" \\n <example>x: y</example>\nmodel: inherit',
      );

      expect(persona?.description).toBe('Use it when: the user says "go" \\n <example>x: y</example>');
      expect(said).toEqual([
        "warning: alpha.md:3:14: is not valid YAML, and is taken as it is written (description) — put it in quotes",
      ]);
    });

    it("is told what to write instead of a title as name", () => {
      expect(withFrontMatter("name: Code Reviewer").said).toEqual([
        expect.stringMatching(
          /^error: alpha\.md:2:7: "Code Reviewer" is no name: .* — write name: code-reviewer and display_name: Code Reviewer$/,
        ),
      ]);
    });
  });

  it("allows no room tool with an empty list", () => {
    expect(withFrontMatter("name: a\ntools: []").persona?.tools).toEqual([]);
  });

  it.each([
    ["a capital letter", "Alpha", /write name: alpha and display_name: Alpha/],
    ["accents", "Zoë Brück", /write name: zoe-bruck and display_name: Zoë Brück/],
    ["letters that look Latin", "аlphа", /write name: alpha$/],
    ["too many letters", "a".repeat(33), /write name: a{32} and/],
    ["a digit in front", "1st", /write name: st and/],
    ["nothing usable", "你好", /write a name such as alpha$/],
    ["a direction character", '"al\\u202epha"', /"al\\u\{202e\}pha" is no name: .* — write name: alpha$/],
    ["a NUL", '"al\\0pha"', /"al\\u\{0\}pha" is no name/],
    ["a reserved word", "everyone", /"everyone" is a reserved word/],
    ["a command word", "stop", /"stop" is a reserved word/],
    ["the app's name", "troupe", /"troupe" is a reserved word/],
    ["a number", "7", /is missing|must be text|put it in quotes: "7"/],
  ])("is refused with %s as name", (_, name, expected) => {
    const { persona, said } = withFrontMatter(`name: ${name}`);

    expect(persona).toBeUndefined();
    expect(said).toEqual([expect.stringMatching(expected)]);
    expect(said[0]).toMatch(/^error: alpha\.md:2:7: /);
  });

  it.each([
    ["a direction character", '"Al\\u202epha"', "control, direction or invisible"],
    ["a NUL", '"Al\\0pha"', "control, direction or invisible"],
    ["a zero-width character", '"Al\\u200bpha"', "control, direction or invisible"],
    ["a joiner between letters", '"Al\\u200dpha"', "control, direction or invisible"],
    ["two lines", '"Al\\npha"', "control, direction or invisible"],
    ["Latin and Cyrillic letters", "Аlpha", "mixes letters of scripts"],
    ["a mention", '"@Alpha"', "must not hold @"],
    ["a group mention", "Everyone", "is a reserved word"],
    ["a reserved word in look-alike letters", "аӏӏ", "is a reserved word"],
    ["punctuation only", '"!?"', "must hold a letter or a digit"],
    ["too many letters", "a".repeat(81), "must have 1 to 80 characters"],
  ])("is refused with %s in the display name", (_, name, expected) => {
    expect(withFrontMatter(`name: alpha\ndisplay_name: ${name}`).said).toEqual([
      expect.stringMatching(`^error: alpha\\.md:3:15: .*${expected}`),
    ]);
  });

  it.each(["Zoë", "李雷 (ops)", "Dr. O'Neill", "Альфа", "Coder 👩‍💻", "Alpha-2"])("may be shown as %s", (name) => {
    expect(withFrontMatter(`name: alpha\ndisplay_name: ${name}`)).toMatchObject({
      said: [],
      persona: { displayName: name },
    });
  });

  it.each([
    [":compass:", true],
    ["https://example.org/a.png", true],
    ["http://example.org/a.png", false],
    ["🧭", false],
    ["compass", false],
  ])("takes %s as avatar: %s", (avatar, isGood) => {
    expect(withFrontMatter(`name: alpha\navatar: "${avatar}"`).persona !== undefined).toBe(isGood);
  });

  it.each([
    [
      "no front matter",
      "You are Alpha.",
      "alpha.md:1:1: has no front matter — begin the file with a line ---, then name: NAME, then a line ---",
    ],
    [
      "an empty file",
      "",
      "alpha.md:1:1: has no front matter — begin the file with a line ---, then name: NAME, then a line ---",
    ],
    [
      "no end of the front matter",
      "---\nname: alpha\n",
      "alpha.md:1:1: the front matter is not closed — put a line --- below it",
    ],
    ["an empty front matter", "---\n---\nHi", "alpha.md:2:1: is missing (name)"],
    [
      "a tab",
      "---\nname: alpha\ntools:\n\t- a\n---\n",
      "alpha.md:4:1: tabs are not allowed as indentation — indent with spaces",
    ],
    [
      "a key twice",
      "---\nname: alpha\nname: beta\n---\n",
      "alpha.md:3:1: the key is given twice (name) — keep one of them",
    ],
    ["a list as front matter", "---\n- name\n---\n", "alpha.md:2:1: must be a map of keys"],
    [
      "a front matter without end",
      `---\nname: alpha\n${"# x\n".repeat(20_000)}---\n`,
      "alpha.md:1:1: the front matter is longer than 64 KiB — shorten it",
    ],
    [
      "an empty step",
      "---\nname: alpha\nscript: [{ steps: [{}] }]\n---\n",
      "alpha.md:3:20: must be a step: say, tool with input, delay_ms or fail (script[0].steps[0])",
    ],
    [
      "a rule that says nothing",
      "---\nname: alpha\nscript: [{ when: a }]\n---\n",
      "alpha.md:3:10: must be a rule: steps, or say; with when and times if wanted (script[0])",
    ],
    ["an unknown brain", "---\nname: alpha\nbrain: acp\n---\n", "alpha.md:3:8: must be llm or script (brain)"],
    [
      "a script brain without script",
      "---\nname: alpha\nbrain: script\n---\n",
      "alpha.md:3:8: is script, but there is no script (brain) — add a script",
    ],
    [
      "a broken expression",
      '---\nname: alpha\nscript:\n  - when: "("\n    say: hi\n---\n',
      "alpha.md:4:11: is not a regular expression: Unterminated group (script[0].when)",
    ],
    [
      "a misspelt step",
      "---\nname: alpha\nscript:\n  - steps:\n      - dealy_ms: 5\n---\n",
      "alpha.md:5:9: is not a known key (script[0].steps[0].dealy_ms) — did you mean delay_ms?",
    ],
    [
      "a delay out of bounds",
      "---\nname: alpha\nscript: [{ steps: [{ delay_ms: 600001 }] }]\n---\n",
      "alpha.md:3:32: must be a whole number from 0 to 600000 (script[0].steps[0].delay_ms)",
    ],
    [
      "a number to say",
      "---\nname: alpha\nscript: [{ say: 5 }]\n---\n",
      'alpha.md:3:17: must be text of at most 40000 characters (script[0].say) — put it in quotes: "5"',
    ],
    [
      "steps beside the short form",
      "---\nname: alpha\nscript: [{ steps: [], say: a }]\n---\n",
      "alpha.md:3:23: does not go with the other keys here (script[0].say) — keep one of them",
    ],
  ])("is refused with %s, at the place in the file", (_, text, expected) => {
    const { persona, said } = parse(text);

    expect(persona).toBeUndefined();
    expect(said).toContain(`error: ${expected}`);
  });

  it("names both keys when there is no model at all", () => {
    const { persona, said } = withFrontMatter("name: alpha", { access: {}, missingAccess: "warning" });

    expect(persona).toBeUndefined();
    expect(said).toEqual([
      "error: alpha.md:2:1: there is neither a model here nor a default_model (model) — set model here, or default_model in troupe.yaml (or TROUPE_DEFAULT_MODEL)",
    ]);
  });

  it.each([
    ["anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY"],
    ["openai:gpt-5", "OPENAI_API_KEY"],
    ["google:gemini-2.5-pro", "GOOGLE_GENERATIVE_AI_API_KEY"],
    ["openai-compatible:llama3.1", "OPENAI_COMPATIBLE_BASE_URL"],
  ])("names the variable that %s needs", (model, variable) => {
    const yaml = `name: alpha\nmodel: ${model}`;
    const expected = `alpha.md:3:8: ${model} needs ${variable}, which is not set (model) — set ${variable} in the environment`;

    expect(withFrontMatter(yaml, { access: {}, missingAccess: "warning" })).toMatchObject({
      said: [`warning: ${expected}`],
      persona: { model },
    });
    expect(withFrontMatter(yaml, { access: {}, missingAccess: "error" }).said).toEqual([`error: ${expected}`]);
  });

  it("lists no more than twenty unknown keys", () => {
    const keys = Array.from({ length: 50 }, (_, n) => `key${n}: 1`);

    expect(withFrontMatter(`name: alpha\n${keys.join("\n")}`).said).toHaveLength(20);
  });

  it("needs no model for a script", () => {
    expect(withFrontMatter("name: a\nscript: [{ say: hi }]", { access: {}, missingAccess: "error" }).said).toEqual([]);
  });

  it("never throws, whatever the text", () => {
    const words = fc.constantFrom(
      "name",
      "script",
      "say",
      "when",
      "steps",
      "tools",
      "model",
      "description",
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
      "'",
      '"',
      "\t",
      "---\n",
      "0",
      "alpha",
    );
    const yaml = fc.array(words, { maxLength: 30 }).map((parts) => `---\n${parts.join("")}\n---\n`);

    fc.assert(
      fc.property(fc.oneof(yaml, fc.string({ unit: "binary" })), (text) => {
        const { persona, problems } = parse(text);

        expect(persona === undefined).toBe(problems.some(({ severity }) => severity === "error"));
      }),
      { numRuns: 150 },
    );
  });
});
