import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Persona } from "../domain/persona.js";
import type { ModelChoice } from "./persona-fields.js";
import { type ParsedPersona, type PersonaPlatforms, parsePersona } from "./persona-file.js";
import { skeleton } from "./persona-names.js";
import { type ConfigProblem, quoted, sortProblems } from "./problem.js";
import { codeOf, readText, shownPath } from "./read-text.js";

/** Largest persona file. Far above any prompt that a model follows. */
export const MAX_PERSONA_BYTES = 256 * 1024;
const MAX_PERSONA_FILES = 500;

/** Where personas are read from. */
export interface PersonaFolder {
  readonly dir: string;
  /** Shown paths are relative to it. */
  readonly cwd: string;
  readonly models: ModelChoice;
}

/** The personas of a folder at one moment. */
export interface PersonaSet {
  /** In name order. */
  readonly personas: readonly Persona[];
  readonly problems: readonly ConfigProblem[];
  /** What the files say about platforms, by persona. */
  readonly platforms: ReadonlyMap<string, PersonaPlatforms>;
  /** The persona that each file gave, by the file's shown path. */
  readonly byFile: ReadonlyMap<string, Persona>;
  /** Names that files claim, those of broken files too. */
  readonly declared: ReadonlySet<string>;
}

const NO_PERSONAS: Omit<PersonaSet, "problems"> = {
  personas: [],
  platforms: new Map(),
  byFile: new Map(),
  declared: new Set(),
};

/**
 * Reads every `*.md` file of the folder but `README.md` and hidden ones. Never throws. With a previous set, a file that is
 * broken now keeps its persona of then, and a folder that cannot be read keeps them all; the problems say so either way.
 */
export async function readPersonas(folder: PersonaFolder, previous?: PersonaSet): Promise<PersonaSet> {
  const shown = shownPath(folder.dir, folder.cwd);
  const names = await listFiles(folder.dir);
  if ("message" in names) {
    const problem: ConfigProblem = { file: shown, key: "personas", ...names, severity: "error" };
    return { ...(previous ?? NO_PERSONAS), problems: [problem] };
  }
  const files: PersonaFile[] = [];
  for (const name of names) files.push(await readFile(join(folder.dir, name), folder));
  return assemble(files, previous?.byFile ?? new Map());
}

interface PersonaFile extends ParsedPersona {
  readonly file: string;
}

async function listFiles(dir: string): Promise<readonly string[] | { message: string; mend: string }> {
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    const files = entries.filter((entry) => isFileLike(entry) && isPersonaFile(entry.name)).map((entry) => entry.name);
    if (files.length > MAX_PERSONA_FILES) {
      return {
        message: `has more than ${MAX_PERSONA_FILES} persona files`,
        mend: "keep only the personas of this team there",
      };
    }
    return files.toSorted();
  } catch (error) {
    const mend = "make the folder, or let troupe init write one with examples";
    return codeOf(error) === "ENOENT"
      ? { message: "the folder of persona files does not exist", mend }
      : {
          message: `the folder of persona files cannot be read (${codeOf(error)})`,
          mend: "check the path and its rights",
        };
  }
}

function isFileLike(entry: Dirent): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}

function isPersonaFile(name: string): boolean {
  return /\.md$/i.test(name) && !name.startsWith(".") && name.toLowerCase() !== "readme.md";
}

async function readFile(path: string, folder: PersonaFolder): Promise<PersonaFile> {
  const file = shownPath(path, folder.cwd);
  const read = await readText(path, MAX_PERSONA_BYTES);
  const start = { line: 1, column: 1 };
  if ("fault" in read) {
    const { fault: message, ...mend } = read;
    const problem: ConfigProblem = { file, message, ...mend, severity: "error" };
    const declared = basename(path, ".md");
    return { file, platforms: {}, problems: [problem], declared, nameAt: start, displayNameAt: start };
  }
  return { file, ...parsePersona({ file, text: read.text, models: folder.models }) };
}

/** Gives out names one file after the other: first to those that keep theirs, so that nobody takes a name from who has it. */
function assemble(files: readonly PersonaFile[], previous: ReadonlyMap<string, Persona>): PersonaSet {
  const taken = new Map<string, Claim>();
  const byFile = new Map<string, Persona>();
  const platforms = new Map<string, PersonaPlatforms>();
  const problems = files.flatMap((file) => file.problems);
  const keepsNames = (file: PersonaFile) => {
    const before = previous.get(file.file);
    const now = file.persona ?? before;
    return before !== undefined && now?.name === before.name && now.displayName === before.displayName;
  };
  const ordered = [...files.filter(keepsNames), ...files.filter((file) => !keepsNames(file))];
  for (const file of ordered) {
    const clash = file.persona === undefined ? undefined : findClash(file, file.persona, taken);
    if (clash !== undefined) problems.push(clash);
    const persona = clash === undefined ? (file.persona ?? previous.get(file.file)) : previous.get(file.file);
    if (persona === undefined || (persona !== file.persona && findClash(file, persona, taken) !== undefined)) continue;
    byFile.set(file.file, persona);
    platforms.set(persona.name, file.platforms);
    for (const name of [persona.name, persona.displayName]) taken.set(skeleton(name), { name, file: file.file });
  }
  const personas = [...byFile.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const declared = new Set(files.map((file) => file.declared));
  return { personas, platforms, problems: sortProblems(problems), byFile, declared };
}

interface Claim {
  readonly name: string;
  readonly file: string;
}

function findClash(file: PersonaFile, persona: Persona, taken: ReadonlyMap<string, Claim>): ConfigProblem | undefined {
  const names = [
    { key: "name", name: persona.name, at: file.nameAt },
    { key: "display_name", name: persona.displayName, at: file.displayNameAt },
  ];
  for (const { key, name, at } of names) {
    const claim = taken.get(skeleton(name));
    if (claim === undefined) continue;
    const alike = claim.name === name ? "" : `, where it is written ${quoted(claim.name)}`;
    const message = `${quoted(name)} is already taken by ${claim.file}${alike}`;
    return {
      file: file.file,
      ...at,
      key,
      message,
      mend: "names and display names must differ: take another",
      severity: "error",
    };
  }
  return undefined;
}
