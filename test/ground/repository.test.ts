import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Every text file that is, or is about to be, in the repository, but npm's lock file and this one, which names what it bans. */
const files = execFileSync("git", ["-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\0")
  .filter((file) => file !== "" && file !== "package-lock.json" && file !== relative(root, import.meta.filename))
  .filter((file) => !/\.(png|ico|woff2)$/.test(file));

/** `file:line` of each line that the pattern finds. */
const linesWith = (pattern: RegExp, among = files): readonly string[] =>
  among.flatMap((file) =>
    readIfThere(file)
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  );

/** A file deleted in the work tree is still listed until the deletion is committed. */
const readIfThere = (file: string): string => {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch {
    return "";
  }
};

describe("The repository", () => {
  it("names no path of the machine it was written on", () => {
    expect(linesWith(/(^|[^A-Za-z0-9.])\/(work|farm|root|home|Users)\//)).toEqual([]);
  });

  it("names no package host", () => {
    expect(linesWith(/npmjs\.|deb\.debian/)).toEqual([]);
    expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toContain('"resolved"');
  });

  it("switches no type check off", () => {
    expect(linesWith(/@ts-(ignore|nocheck|expect-error)/)).toEqual([]);
  });

  it("carries no unfinished mark", () => {
    expect(linesWith(/\b(TODO|FIXME|XXX)\b/)).toEqual([]);
  });
});

describe("The documents", () => {
  const documents = files.filter((file) => file.endsWith(".md") && !file.startsWith("test/"));

  it("link only to what is there", () => {
    const dead = documents.flatMap((file) =>
      [...readIfThere(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !existsSync(resolve(root, dirname(file), target)))
        .map((target) => `${file}: ${target}`),
    );

    expect(dead).toEqual([]);
  });
});

describe("The inner rings", () => {
  const inner = files.filter((file) => /^src\/(domain|ports|engine)\//.test(file));

  it("name no platform and no vendor", () => {
    expect(linesWith(/\b(slack|discord|telegram|anthropic|openai|gemini|ollama)\b/i, inner)).toEqual([]);
  });

  it("decide without promises in the domain", () => {
    const domain = inner.filter((file) => file.startsWith("src/domain/"));

    expect(linesWith(/^(?!\s*(\*|\/\/|\/\*)).*\b(async|await)\b/, domain)).toEqual([]);
  });
});
