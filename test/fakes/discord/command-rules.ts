import { createProblems, type Problems } from "./problems.js";
import { type Json, numberOf, records, textOf } from "./wire.js";

const SUB = 1;
const GROUP = 2;

/** Refuses definitions of commands that Discord would refuse. */
export function checkCommands(commands: readonly Json[]): void {
  const problems = createProblems();
  if (commands.length > 100)
    problems.add("_", "APPLICATION_COMMAND_TOO_LARGE", "Maximum number of application commands reached (100).");
  const names = commands.map((it) => textOf(it, "name"));
  if (new Set(names).size < names.length) {
    problems.add("_", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique");
  }
  commands.forEach((command, index) => {
    checkNames(command, String(index), problems);
    checkOptions(command, String(index), problems);
    if (weight(command) > 8000) {
      problems.add(String(index), "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)");
    }
  });
  problems.throwIfAny();
}

function checkNames(named: Json, path: string, problems: Problems): void {
  const [name, description] = [textOf(named, "name") ?? "", textOf(named, "description") ?? ""];
  if (!/^[-_'\p{L}\p{N}]{1,32}$/u.test(name) || name !== name.toLowerCase()) {
    problems.add(`${path}.name`, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
  }
  problems.length(`${path}.description`, description, 100, 1);
}

function checkOptions(holder: Json, path: string, problems: Problems): void {
  const options = records(holder.options);
  if (options.length > 25) problems.add(`${path}.options`, "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.");
  const names = options.map((it) => it.name);
  if (new Set(names).size < names.length) {
    problems.add(`${path}.options`, "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "Option names must be unique");
  }
  const lastRequired = options.findLastIndex((it) => it.required === true);
  options.forEach((option, index) => {
    const at = `${path}.options.${index}`;
    checkNames(option, at, problems);
    const type = numberOf(option, "type");
    if (type === undefined || type < 1 || type > 11) {
      problems.add(`${at}.type`, "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}.");
    }
    if (type !== SUB && type !== GROUP && index < lastRequired && option.required !== true) {
      const message = "Required options must be placed before non-required options";
      problems.add(at, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message);
    }
    checkChoices(option, at, problems);
    checkOptions(option, at, problems);
  });
}

function checkChoices(option: Json, path: string, problems: Problems): void {
  const choices = records(option.choices);
  if (choices.length > 25) problems.add(`${path}.choices`, "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.");
  choices.forEach((choice, index) => {
    problems.length(`${path}.choices.${index}.name`, textOf(choice, "name") ?? "", 100, 1);
  });
  if (choices.length > 0 && option.autocomplete === true) {
    const message = "Autocomplete cannot be used with choices";
    problems.add(path, "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", message);
  }
}

/** Characters of names, descriptions and values together. */
function weight(holder: Json): number {
  const own = [holder.name, holder.description, holder.value].reduce<number>(
    (sum, it) => sum + (typeof it === "string" ? it.length : 0),
    0,
  );
  return [...records(holder.options), ...records(holder.choices)].reduce((sum, it) => sum + weight(it), own);
}
