import { afterEach, describe, expect, it } from "vitest";
import { checkProject } from "../../src/config/check.js";
import { formatProblem } from "../../src/config/problem.js";
import { createProject, type Project, packageDir, persona } from "./project.js";

const projects: Project[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

async function check(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const project = createProject(files);
  projects.push(project);
  const report = await checkProject({ env, packageDir, cwd: project.dir });
  return { ...report, said: report.problems.map((problem) => `${problem.severity}: ${formatProblem(problem)}`) };
}

describe("the check", () => {
  it("passes the built-in defaults", async () => {
    expect(await check({})).toMatchObject({ ok: true, problems: [], config: { team: "troupe" } });
  });

  it("passes with warnings, and lists them", async () => {
    const report = await check({ "troupe.yaml": "", "personas/a.md": persona("a", "color: red\n") });

    expect(report).toMatchObject({
      ok: true,
      said: ["warning: personas/a.md:3:1: is not a known key and has no effect (color)"],
    });
  });

  it("fails on what a start refuses, and lists everything", async () => {
    const report = await check({ "troupe.yaml": "x: 1", "personas/a.md": "" });

    expect(report.ok).toBe(false);
    expect(report.said).toHaveLength(2);
    expect(report).not.toHaveProperty("config");
  });

  it("fails on a model whose key is missing", async () => {
    const report = await check({
      "troupe.yaml": "default_model: google:gemini-2.5-pro",
      "personas/a.md": "---\nname: a\n---\nHi",
    });

    expect(report).toMatchObject({
      ok: false,
      said: [expect.stringMatching(/^error: .*needs GOOGLE_GENERATIVE_AI_API_KEY/)],
    });
  });

  it.each(["0.0.0.0", "::", "192.0.2.1", "troupe.example.org", "127.example.org"])(
    "fails on %s to listen on without an admin token",
    async (host) => {
      const files = { "troupe.yaml": `web: { host: "${host}" }` };

      expect(await check(files)).toMatchObject({ ok: false, said: [expect.stringMatching(/TROUPE_ADMIN_TOKEN/)] });
      expect(await check(files, { TROUPE_ADMIN_TOKEN: "0123456789abcdef" })).toMatchObject({ ok: true });
    },
  );

  it.each(["127.0.0.1", "127.1.2.3", "::1", "localhost"])("needs no token for %s", async (host) => {
    expect(await check({ "troupe.yaml": `web: { host: "${host}" }` })).toMatchObject({ ok: true });
  });
});
