import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { PersonaSet } from "../../src/config/personas.js";
import { watchPersonas } from "../../src/config/watch.js";
import { createFakeClock, settle } from "../support/fake-clock.js";
import { createProject, persona } from "./project.js";

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

async function watching(files: Readonly<Record<string, string>>, beforeWatch: Readonly<Record<string, string>> = {}) {
  const project = createProject({ "troupe.yaml": "", ...files });
  const { personaFolder: folder, personaSet: initial } = await project.load();
  for (const [path, text] of Object.entries(beforeWatch)) project.write(path, text);
  const clock = createFakeClock();
  const controller = new AbortController();
  const changes: PersonaSet[] = [];
  let onNext = (_: PersonaSet) => {};
  const watch = watchPersonas({
    folder,
    initial,
    clock,
    signal: controller.signal,
    onChange: (set) => {
      changes.push(set);
      onNext(set);
    },
  });
  cleanUps.push(project.remove, () => controller.abort());
  return {
    ...project,
    ...watch,
    clock,
    changes,
    stop: () => controller.abort(),
    next: () =>
      new Promise<PersonaSet>((resolve) => {
        onNext = resolve;
      }),
    /** Waits until the first look at the folder is over. */
    armed: async () => {
      while (clock.pending === 0) await settle();
    },
  };
}

const handles = (set: PersonaSet | undefined) => set?.personas.map(({ name }) => name);

describe("watching persona files", () => {
  it("says nothing while nothing changes", async () => {
    const { reload, changes } = await watching({ "personas/a.md": persona("alpha") });
    await reload();

    expect(changes).toEqual([]);
  });

  it("gives the new set when a file comes, changes and goes", async () => {
    const { reload, changes, write, dir } = await watching({ "personas/a.md": persona("alpha") });

    write("personas/b.md", persona("beta"));
    await reload();
    write("personas/b.md", persona("beta", "description: New.\n"));
    await reload();
    rmSync(join(dir, "personas/b.md"));
    await reload();

    expect(changes.map(handles)).toEqual([["alpha", "beta"], ["alpha", "beta"], ["alpha"]]);
    expect(changes[1]?.personas[1]?.description).toBe("New.");
  });

  it("keeps the persona of a file that breaks, and reports the problem once", async () => {
    const { reload, changes, write } = await watching({ "personas/a.md": persona("alpha") });

    write("personas/a.md", "---\nname: alpha\n");
    await reload();
    await reload();
    write("personas/a.md", persona("alpha"));
    await reload();

    expect(changes.map(handles)).toEqual([["alpha"], ["alpha"]]);
    expect(changes[0]?.problems).toMatchObject([{ message: "the front matter is not closed", severity: "error" }]);
    expect(changes[1]?.problems).toEqual([]);
  });

  it("does reloads one after the other", async () => {
    const { reload, changes, write } = await watching({ "personas/a.md": persona("alpha") });

    write("personas/b.md", persona("beta"));
    const sets = await Promise.all([reload(), reload(), reload()]);

    expect(sets.map(handles)).toEqual(Array(3).fill(["alpha", "beta"]));
    expect(changes).toHaveLength(1);
  });

  it("sees what changed between the load and the watch", async () => {
    const { next } = await watching({ "personas/a.md": persona("alpha") }, { "personas/b.md": persona("beta") });

    expect(handles(await next())).toEqual(["alpha", "beta"]);
  });

  it("finds a change by looking, where the system tells of none", async () => {
    const { clock, next, armed, dir, write } = await watching({ "personas/a.md": persona("alpha") });
    await armed();
    write("other/b.md", persona("beta"));
    renameSync(join(dir, "personas"), join(dir, "old"));
    renameSync(join(dir, "other"), join(dir, "personas"));
    const changed = next();
    await clock.advance(5000);

    expect(handles(await changed)).toEqual(["beta"]);
  });

  it("does nothing after its end", async () => {
    const { clock, stop, armed, reload, changes, write } = await watching({ "personas/a.md": persona("alpha") });
    await armed();
    stop();
    write("personas/b.md", persona("beta"));
    await reload();

    expect(clock.pending).toBe(0);
    expect(changes).toEqual([]);
  });
});
