import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { MAX_PERSONA_BYTES, type PersonaSet, readPersonas } from "../../src/config/personas.js";
import { formatProblem } from "../../src/config/problem.js";
import { createProject, type Project, persona } from "./project.js";

const projects: Project[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

function folderOf(files: Readonly<Record<string, string>>) {
  const project = createProject(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`personas/${name}`, text])),
  );
  projects.push(project);
  const folder = {
    dir: join(project.dir, "personas"),
    cwd: project.dir,
    models: { access: {}, missingAccess: "warning" as const },
  };
  return { ...project, folder, read: (previous?: PersonaSet) => readPersonas(folder, previous) };
}

const handles = (set: PersonaSet) => set.personas.map(({ name }) => name);
const said = (set: PersonaSet) => set.problems.map(formatProblem);

describe("the folder of persona files", () => {
  it("gives personas in the order of their names, whatever the files are called", async () => {
    const { read } = folderOf({ "1.md": persona("zeta"), "2.MD": persona("alpha"), "3.md": persona("beta") });

    expect(handles(await read())).toEqual(["alpha", "beta", "zeta"]);
  });

  it("passes over what is no persona file", async () => {
    const { read, dir } = folderOf({
      "a.md": persona("alpha"),
      "README.md": "# Ours",
      ".draft.md": "x",
      "notes.txt": "x",
    });
    mkdirSync(join(dir, "personas", "old.md"));

    expect(await read()).toMatchObject({ problems: [], personas: [{ name: "alpha" }] });
  });

  it("follows links, and names one that leads nowhere", async () => {
    const { read, dir } = folderOf({ "a.md": persona("alpha") });
    symlinkSync(join(dir, "personas", "a.md"), join(dir, "personas", "b.md"));
    symlinkSync(join(dir, "nowhere"), join(dir, "personas", "c.md"));

    expect(said(await read())).toEqual([
      'personas/b.md:2:7: "alpha" is already taken by personas/a.md (name) — names and display names must differ: take another',
      "personas/c.md: does not exist — check the path",
    ]);
  });

  it.each([
    ["the same name", persona("alpha"), "name", '"alpha"'],
    ["a display name that is another's name", persona("beta", "display_name: ALPHA\n"), "display_name", '"ALPHA"'],
    [
      "the same display name in other letters",
      persona("beta", "display_name: tHE pLANNER\n"),
      "display_name",
      '"tHE pLANNER"',
    ],
    [
      "the same display name in wide letters",
      persona("beta", "display_name: Ｔhe Planner\n"),
      "display_name",
      '"Ｔhe Planner"',
    ],
    [
      "a display name that looks the same",
      persona("beta", "display_name: АLРНА\n").replace("АLРНА", "аӏрһа"),
      "display_name",
      '"аӏрһа"',
    ],
  ])("refuses %s", async (_, text, key, shown) => {
    const { read } = folderOf({ "a.md": persona("alpha", "display_name: The Planner\n"), "b.md": text });
    const set = await read();

    expect(handles(set)).toEqual(["alpha"]);
    expect(said(set)).toEqual([
      expect.stringMatching(`^personas/b\\.md:[23]:\\d+: ${shown} is already taken by personas/a\\.md.*\\(${key}\\)`),
    ]);
  });

  it("refuses a file of 5 MB without reading it all", async () => {
    const { read } = folderOf({ "a.md": persona("alpha"), "b.md": `---\nname: b\n---\n${"x".repeat(5_000_000)}` });

    expect(said(await read())).toEqual(["personas/b.md: is larger than 256 KiB — shorten it"]);
  });

  it("takes a file of just the largest size", async () => {
    const head = persona("alpha");
    const { read } = folderOf({ "a.md": head + "x".repeat(MAX_PERSONA_BYTES - head.length) });

    expect(said(await read())).toEqual([]);
  });

  it("passes over a byte order mark", async () => {
    const { read } = folderOf({ "a.md": `\ufeff${persona("alpha")}` });

    expect(await read()).toMatchObject({ problems: [], personas: [{ prompt: "You are alpha." }] });
  });

  it("refuses text in another encoding", async () => {
    const { read, write } = folderOf({ "a.md": persona("alpha") });
    write("personas/b.md", new Uint8Array([0xff, 0xfe, 0x2d, 0]));

    expect(said(await read())).toEqual(["personas/b.md: is not UTF-8 text — save it as UTF-8"]);
  });

  it("says how to get a folder that is not there", async () => {
    const { read, dir } = folderOf({ "a.md": persona("alpha") });
    rmSync(join(dir, "personas"), { recursive: true });

    expect(said(await read())).toEqual([
      "personas: the folder of persona files does not exist (personas) — make the folder, or let troupe init write one with examples",
    ]);
  });

  it("never throws on any bytes", async () => {
    const { read, write } = folderOf({ "a.md": persona("alpha") });

    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        write("personas/b.md", bytes);
        expect(handles(await read())).toContain("alpha");
      }),
      { numRuns: 50 },
    );
  });
});

describe("reading the folder again", () => {
  it("keeps the persona of a file that is broken now, and says what is wrong", async () => {
    const { read, write } = folderOf({ "a.md": persona("alpha"), "b.md": persona("beta") });
    const first = await read();
    write("personas/b.md", "---\nname: [\n---\n");
    const second = await read(first);

    expect(handles(second)).toEqual(["alpha", "beta"]);
    expect(said(second)).toEqual([expect.stringMatching(/^personas\/b\.md:3:/)]);
    expect(handles(await read(second))).toEqual(["alpha", "beta"]);
  });

  it("takes the new version of a file", async () => {
    const { read, write } = folderOf({ "a.md": persona("alpha") });
    const first = await read();
    write("personas/a.md", persona("alpha", "description: New.\n"));

    expect((await read(first)).personas).toMatchObject([{ name: "alpha", description: "New." }]);
  });

  it("drops the persona of a file that is gone", async () => {
    const { read, dir } = folderOf({ "a.md": persona("alpha"), "b.md": persona("beta") });
    const first = await read();
    rmSync(join(dir, "personas", "a.md"));

    expect(handles(await read(first))).toEqual(["beta"]);
  });

  it("keeps them all while the folder cannot be read", async () => {
    const { read, dir } = folderOf({ "a.md": persona("alpha") });
    const first = await read();
    rmSync(join(dir, "personas"), { recursive: true });

    expect(handles(await read(first))).toEqual(["alpha"]);
  });

  it("lets no newcomer take a name from who has it", async () => {
    const { read, write } = folderOf({ "b.md": persona("alpha", "description: First.\n") });
    const first = await read();
    write("personas/a.md", persona("alpha", "description: Newcomer.\n"));
    const second = await read(first);

    expect(second.personas).toMatchObject([{ description: "First." }]);
    expect(said(second)).toEqual([
      expect.stringMatching(/^personas\/a\.md:2:7: "alpha" is already taken by personas\/b\.md/),
    ]);
  });

  it("lets two files exchange their names", async () => {
    const { read, write } = folderOf({ "a.md": persona("alpha"), "b.md": persona("beta") });
    const first = await read();
    write("personas/a.md", persona("beta"));
    write("personas/b.md", persona("alpha"));

    expect(await read(first)).toMatchObject({ problems: [], personas: [{ name: "alpha" }, { name: "beta" }] });
  });

  it("lets no file that comes first take the name of one that keeps it", async () => {
    const { read, write } = folderOf({ "a.md": persona("alpha"), "b.md": persona("beta") });
    const first = await read();
    write("personas/a.md", persona("beta"));
    const second = await read(first);

    expect(handles(second)).toEqual(["alpha", "beta"]);
    expect(said(second)).toEqual([expect.stringMatching(/^personas\/a\.md:2:7: "beta" is already taken/)]);
  });

  it("keeps a persona's old name when its new one is taken", async () => {
    const { read, write } = folderOf({ "a.md": persona("alpha"), "b.md": persona("beta") });
    const first = await read();
    write("personas/b.md", persona("alpha"));

    expect(handles(await read(first))).toEqual(["alpha", "beta"]);
  });
});
