import { parseModelId } from "../brain/model-id.js";
import type { Persona, ScriptRule, ScriptStep } from "../domain/persona.js";
import { isAllowed, ROOM_TOOLS } from "../engine/tools/run-tool.js";
import { MODEL_FORM, type ModelAccess, missingVariable } from "./models.js";
import { displayNameFault, HANDLE, handleFor, isReserved } from "./persona-names.js";
import type { FrontMatter } from "./persona-schema.js";
import { type ConfigProblem, quoted } from "./problem.js";
import { dotted, type Place } from "./validate.js";
import type { Path } from "./yaml-source.js";

/** Collects what is wrong with one file. */
export interface Report {
  readonly place: Place;
  readonly problems: readonly ConfigProblem[];
  add(problems: readonly ConfigProblem[]): void;
  error(path: Path, message: string, mend?: string): void;
  warn(path: Path, message: string, mend?: string): void;
}

/** An empty report on the file at `place`. */
export function createReport(place: Place): Report {
  const problems: ConfigProblem[] = [];
  const push = (severity: ConfigProblem["severity"]) => (path: Path, message: string, mend?: string) => {
    const key = dotted(path);
    const at = place.source.valueAt(path);
    problems.push({ file: place.file, ...at, key, message, ...(mend === undefined ? {} : { mend }), severity });
  };
  return { place, problems, add: (found) => problems.push(...found), error: push("error"), warn: push("warning") };
}

/** A name has the form of a handle and is not reserved. Files of other tools often have a title there. */
export function checkName(name: string, report: Report): void {
  if (HANDLE.test(name)) {
    if (isReserved(name))
      report.error(["name"], `${quoted(name)} is a reserved word`, `take another name, such as ${name}-bot`);
    return;
  }
  const handle = handleFor(name);
  const display = displayNameFault(name.trim()) === undefined ? ` and display_name: ${name.trim()}` : "";
  const mend = handle === undefined ? "write a name such as alpha" : `write name: ${handle}${display}`;
  report.error(["name"], `${quoted(name)} is no name: a small letter, then up to 31 of a-z, 0-9, _ and -`, mend);
}

/** What answers: what the file says, else a script if there is one, else a model. */
export function brainOf(front: FrontMatter, report: Report): Persona["brain"] {
  const brain = front.brain ?? (front.script === undefined ? "llm" : "script");
  if (brain === "script" && front.script === undefined)
    report.error(["brain"], "is script, but there is no script", "add a script");
  if (brain === "llm" && front.script !== undefined) report.warn(["script"], "has no effect with brain: llm");
  return brain;
}

/** What a persona's model depends on besides its file. */
export interface ModelChoice {
  /** Serves personas that name no model of a known provider. */
  readonly defaultModel?: string;
  readonly access: ModelAccess;
  /** How bad it is when a model cannot be reached for want of a variable: its turns will fail, the rest goes on. */
  readonly missingAccess: ConfigProblem["severity"];
}

/** The persona's own model, else the default; a model written for another tool counts as none. */
export function modelOf(written: unknown, choice: ModelChoice, report: Report): string | undefined {
  const own = typeof written === "string" && parseModelId(written) !== undefined ? written : undefined;
  if (own === undefined && written !== undefined && written !== "inherit") {
    report.warn(["model"], "is no model known here, so the default model serves", `write ${MODEL_FORM}`);
  }
  const model = own ?? choice.defaultModel;
  if (model === undefined) {
    const mend = "set model here, or default_model in troupe.yaml (or TROUPE_DEFAULT_MODEL)";
    report.error(["model"], "there is neither a model here nor a default_model", mend);
    return undefined;
  }
  const variable = missingVariable(model, choice.access);
  if (variable !== undefined) {
    const say = choice.missingAccess === "error" ? report.error : report.warn;
    say(["model"], `${model} needs ${variable}, which is not set`, `set ${variable} in the environment`);
  }
  return model;
}

const TOOL_NAMES = ROOM_TOOLS.map((tool) => tool.name);
const KNOWN_TOOLS = `known tools: ${TOOL_NAMES.join(", ")}`;

/** The room tools that the list allows. A list of only foreign names says nothing about room tools: all are allowed. */
export function toolsOf(written: FrontMatter["tools"], report: Report): readonly string[] | undefined {
  if (written === undefined) return undefined;
  const names = (typeof written === "string" ? written.split(",") : written)
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const foreign = names.filter((name) => !isToolPattern(name));
  const known = names.filter(isToolPattern);
  const isForeignList = known.length === 0 && foreign.length > 0;
  if (foreign.length > 0) {
    const outcome = isForeignList ? "so all room tools are allowed" : "and are passed over";
    report.warn(["tools"], `${foreign.map(quoted).join(", ")}: not known here, ${outcome}`, KNOWN_TOOLS);
  }
  return isForeignList ? undefined : [...new Set(known)];
}

/** Whether a name, or a beginning with `*`, means a room tool. */
function isToolPattern(name: string): boolean {
  return TOOL_NAMES.some((tool) => isAllowed(tool, [name]));
}

/** The domain's form of a script. */
export function scriptOf(rules: FrontMatter["script"], report: Report): readonly ScriptRule[] | undefined {
  return rules?.map(({ when, times, ...rest }, index) => ({
    ...(when === undefined ? {} : { when }),
    ...(times === undefined ? {} : { times }),
    steps:
      "say" in rest
        ? [{ say: rest.say }]
        : rest.steps.map((step, at) => stepOf(step, ["script", index, "steps", at], report)),
  }));
}

type WrittenStep = Extract<NonNullable<FrontMatter["script"]>[number], { steps: unknown }>["steps"][number];

function stepOf(step: WrittenStep, path: Path, report: Report): ScriptStep {
  if ("tool" in step && !TOOL_NAMES.includes(step.tool)) {
    report.warn([...path, "tool"], `${quoted(step.tool)} is not known here, and will fail the turn`, KNOWN_TOOLS);
  }
  return "delay_ms" in step ? { delayMs: step.delay_ms } : step;
}
