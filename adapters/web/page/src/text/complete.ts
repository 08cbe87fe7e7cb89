import type { RosterMember, TeamPersona } from "../wire.js";

/** Who can be named: those in the room, and those who could be brought in. */
export interface People {
  readonly roster: readonly RosterMember[];
  readonly others: readonly TeamPersona[];
}

/** One thing that the composer offers. */
export interface Suggestion {
  /** What replaces the typed part. */
  readonly insert: string;
  readonly label: string;
  readonly detail: string;
  /** Set for personas, so that the list can show their picture. */
  readonly persona?: TeamPersona;
}

/** What can be completed at the caret: the range that a suggestion replaces, and the suggestions, best first. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly suggestions: readonly Suggestion[];
}

/** A word that this room understands behind a slash. `argument`: what may follow. */
interface Command {
  readonly word: string;
  readonly usage: string;
  readonly detail: string;
  readonly argument?: "persona" | "newcomer" | "command" | readonly string[];
}

const COMMANDS: readonly Command[] = [
  { word: "help", usage: "help [command]", detail: "What the commands do", argument: "command" },
  { word: "why", usage: "why [number]", detail: "Whom a message woke, or why nobody" },
  { word: "room", usage: "room", detail: "Who is here, and how full the burst is" },
  { word: "list", usage: "list", detail: "Every persona that the team has" },
  { word: "add", usage: "add NAME…", detail: "Bring personas into this room", argument: "newcomer" },
  { word: "remove", usage: "remove NAME…", detail: "Take personas out of this room", argument: "persona" },
  { word: "host", usage: "host [NAME]", detail: "Who answers when nobody is mentioned", argument: "persona" },
  { word: "budget", usage: "budget [N]", detail: "Agent messages in a row without a person" },
  { word: "fanout", usage: "fanout N", detail: "How many mentioned personas one message wakes" },
  {
    word: "wake",
    usage: "wake mention|always",
    detail: "When a message wakes a persona",
    argument: ["mention", "always"],
  },
  { word: "reply", usage: "reply thread|channel", detail: "Where answers go", argument: ["thread", "channel"] },
  { word: "guard", usage: "guard [on|off|KEY VALUE]", detail: "When two personas are paused", argument: ["on", "off"] },
  { word: "resume", usage: "resume [A B]", detail: "Let a paused pair go on", argument: "persona" },
  { word: "pause", usage: "pause A B", detail: "Pause two personas", argument: "persona" },
  { word: "stop", usage: "stop [NAME]", detail: "Stop the turn that is running", argument: "persona" },
];

const SCHEDULES: readonly Command[] = [
  { word: "list", usage: "list", detail: "What personas do here at set times" },
  { word: "add", usage: 'add ID "CRON" NAME TEXT…', detail: "Do something again and again", argument: "persona" },
  { word: "once", usage: "once ID IN NAME TEXT…", detail: "Do something once", argument: "persona" },
  { word: "remove", usage: "remove ID", detail: "Remove a schedule" },
];

const FAMILIES: Readonly<Record<string, readonly Command[]>> = { agent: COMMANDS, schedule: SCHEDULES };

const LONGEST_LIST = 16;
/** Looking back further than this for an `@` finds no name. */
const LONGEST_NAME = 80;

function personas(typed: string, of: readonly TeamPersona[], prefix: string): readonly Suggestion[] {
  const wanted = typed.toLowerCase();
  return of
    .filter(
      (member) => member.name.toLowerCase().startsWith(wanted) || member.displayName.toLowerCase().startsWith(wanted),
    )
    .map((persona) => ({
      insert: `${prefix}${persona.name} `,
      label: persona.displayName,
      detail: persona.description,
      persona,
    }));
}

/** `@` offers only those who can answer; a command may also name a member whose file is gone. */
function argumentsOf(command: Command, typed: string, people: People): readonly Suggestion[] {
  if (command.argument === undefined) return [];
  if (command.argument === "persona") return personas(typed, people.roster, "");
  if (command.argument === "newcomer") return personas(typed, people.others, "");
  if (command.argument === "command") return words(COMMANDS, typed);
  return command.argument
    .filter((word) => word.startsWith(typed))
    .map((word) => ({ insert: word, label: word, detail: "" }));
}

function words(commands: readonly Command[], typed: string): readonly Suggestion[] {
  return commands
    .filter((command) => command.word.startsWith(typed.toLowerCase()))
    .map((command) => ({
      insert: `${command.word}${command.usage === command.word ? "" : " "}`,
      label: command.usage,
      detail: command.detail,
    }));
}

function slash(before: string, people: People): Omit<Completion, "to"> | undefined {
  if (/^\/[a-z]*$/i.test(before)) {
    const families = Object.entries(FAMILIES).filter(([name]) => `/${name}`.startsWith(before.toLowerCase()));
    const suggestions = families.flatMap(([name, commands]) =>
      words(commands, "").map((one) => ({ ...one, insert: `/${name} ${one.insert}`, label: `/${name} ${one.label}` })),
    );
    return { from: 0, suggestions };
  }
  const typed = /^\/(agent|schedule)\s+(?:(\S+)\s+(?:\S+\s+)*)?(\S*)$/i.exec(before);
  if (typed === null) return undefined;
  const [, family = "", word, last = ""] = typed;
  const commands = FAMILIES[family.toLowerCase()] ?? [];
  const command = commands.find((one) => one.word === word?.toLowerCase());
  const suggestions =
    word === undefined
      ? words(commands, last)
      : command === undefined
        ? []
        : argumentsOf(command, last.replace(/^@/, ""), people);
  return { from: before.length - last.length, suggestions };
}

function mention(before: string, { roster }: People): Omit<Completion, "to"> | undefined {
  const typed = /(?:^|[^\p{L}\p{N}_./@\\])@([\p{L}\p{N}_-]*)$/u.exec(before.slice(-LONGEST_NAME))?.[1];
  if (typed === undefined) return undefined;
  return {
    from: before.length - typed.length - 1,
    suggestions: personas(
      typed,
      roster.filter((member) => !member.missing),
      "@",
    ),
  };
}

/** What the composer can offer for the text at the caret; `undefined` when there is nothing to offer. */
export function complete(text: string, caret: number, people: People): Completion | undefined {
  const before = text.slice(0, caret);
  const found = before.startsWith("/") ? slash(before, people) : mention(before, people);
  if (found === undefined || found.suggestions.length === 0) return undefined;
  const to = caret + (/^[\p{L}\p{N}_-]*/u.exec(text.slice(caret))?.[0].length ?? 0);
  return { from: found.from, to, suggestions: found.suggestions.slice(0, LONGEST_LIST) };
}

/** The text and caret after a suggestion has been taken. */
export function accept(
  text: string,
  completion: Completion,
  suggestion: Suggestion,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(completion.to);
  const insert = rest.startsWith(" ") ? suggestion.insert.trimEnd() : suggestion.insert;
  return {
    text: text.slice(0, completion.from) + insert + rest,
    caret: completion.from + insert.length + (rest.startsWith(" ") && insert !== suggestion.insert ? 1 : 0),
  };
}
