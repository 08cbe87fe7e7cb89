import { basename } from "node:path";
import { cleanInbound } from "../domain/clean-text.js";
import type { Persona } from "../domain/persona.js";
import { quoteDescription, splitFrontMatter } from "./front-matter.js";
import {
  brainOf,
  checkName,
  createReport,
  type ModelChoice,
  modelOf,
  type Report,
  scriptOf,
  toolsOf,
} from "./persona-fields.js";
import { type FrontMatter, personaSchema } from "./persona-schema.js";
import { type ConfigProblem, isError } from "./problem.js";
import { unknownKeys, validate } from "./validate.js";
import { type Position, parseYaml, type YamlSource } from "./yaml-source.js";

/** A persona file's text with what it depends on. */
export interface PersonaText {
  /** Path as shown in problems. */
  readonly file: string;
  readonly text: string;
  readonly models: ModelChoice;
}

/** What a persona file says about one platform, beside the persona itself. */
export interface PersonaPlatforms {
  /** Variable of the token of an own Slack app, and where it is written. */
  readonly slackToken?: { readonly variable: string; readonly file: string; readonly at: Position };
  /** Whether it gets a role to be mentioned by on Discord. */
  readonly discordRole?: boolean;
}

/** What a persona file says. */
export interface ParsedPersona {
  /** Absent when a problem is an error. */
  readonly persona?: Persona;
  readonly platforms: PersonaPlatforms;
  readonly problems: readonly ConfigProblem[];
  /** The name that the file gives, be it valid or not; else its file name. */
  readonly declared: string;
  /** Where its names stand, for problems between files. */
  readonly nameAt: Position;
  readonly displayNameAt: Position;
}

/** Reads one persona. Never throws: everything wrong with the file is in `problems`, at its place in the file. */
export function parsePersona(input: PersonaText): ParsedPersona {
  const start = { line: 1, column: 1 };
  const parts = splitFrontMatter(input.text, input.file);
  const stem = basename(input.file).replace(/\.md$/i, "");
  if ("message" in parts)
    return { platforms: {}, problems: [parts], declared: stem, nameAt: start, displayNameAt: start };
  const { source, problems: syntax } = parseLenient(parts.yaml, input.file, parts.lineOffset);
  const report = createReport({ source, file: input.file });
  const front = syntax.some(isError) ? undefined : readFrontMatter(source.value ?? {}, report);
  const persona = front && readPersona(front, { ...input, body: parts.body }, report);
  const problems = [...syntax, ...report.problems];
  const variable = front?.slack?.token_env;
  const slackToken = { file: input.file, at: source.valueAt(["slack", "token_env"]) };
  return {
    ...(persona === undefined || problems.some(isError) ? {} : { persona }),
    platforms: {
      ...(variable === undefined ? {} : { slackToken: { variable, ...slackToken } }),
      ...(front?.discord?.role === true ? { discordRole: true } : {}),
    },
    problems,
    declared: declaredName(source.value) ?? stem,
    nameAt: source.valueAt(["name"]),
    displayNameAt: source.valueAt(["display_name"]),
  };
}

function declaredName(value: unknown): string | undefined {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string"
    ? value.name
    : undefined;
}

function readFrontMatter(value: unknown, report: Report): FrontMatter | undefined {
  report.add(unknownKeys(personaSchema, value, report.place));
  const { value: front, problems } = validate(personaSchema, value, report.place);
  report.add(problems);
  return front;
}

function readPersona(front: FrontMatter, input: PersonaText & { body: string }, report: Report): Persona {
  checkName(front.name, report);
  const brain = brainOf(front, report);
  const model = brain === "llm" ? modelOf(front.model, input.models, report) : undefined;
  const tools = toolsOf(front.tools, report);
  const script = scriptOf(front.script, report);
  return {
    name: front.name,
    displayName: (front.display_name ?? front.name).normalize("NFC"),
    description: cleanInbound(front.description).trim(),
    ...(front.avatar === undefined ? {} : { avatar: front.avatar }),
    prompt: cleanInbound(input.body).trim(),
    brain,
    ...(model === undefined ? {} : { model }),
    ...(tools === undefined ? {} : { tools }),
    ...(script === undefined ? {} : { script }),
  };
}

/** Other agent tools take a description with a colon for text; YAML does not. */
function parseLenient(
  yaml: string,
  file: string,
  lineOffset: number,
): { source: YamlSource; problems: readonly ConfigProblem[] } {
  const source = parseYaml(yaml, file, lineOffset);
  const mended = source.problems.some(isError) ? quoteDescription(yaml) : undefined;
  const second = mended === undefined ? undefined : parseYaml(mended, file, lineOffset);
  if (second === undefined || second.problems.some(isError)) return { source, problems: source.problems };
  const warning: ConfigProblem = {
    file,
    ...second.valueAt(["description"]),
    key: "description",
    message: "is not valid YAML, and is taken as it is written",
    mend: "put it in quotes",
    severity: "warning",
  };
  return { source: second, problems: [...second.problems, warning] };
}
