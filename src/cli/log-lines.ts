import type { EntryShown, OutcomeShown } from "./reading.js";
import { type Colours, shown, shownInline } from "./terminal.js";

/** The longest tool input that is shown. */
const INPUT_CHARACTERS = 200;

/**
 * One entry as lines for people: number, time, who, what, and what became of it. A line with the date comes first when it
 * is not `day`, the date of the entry before. Times are local.
 */
export function entryLines(entry: EntryShown, day: string, colours: Colours): { text: string; day: string } {
  const at = new Date(entry.at);
  const date = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join("-");
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(":");
  const prefix = `${String(entry.seq).padStart(5)}  ${time}  `;
  const [first = "", ...rest] = words(entry, colours).split("\n");
  const lines = [
    colours.dim(prefix) + first,
    ...rest.map((line) => (line === "" ? line : " ".repeat(prefix.length) + line)),
  ];
  if (date !== day) lines.unshift(colours.dim(`${date}`));
  return { text: `${lines.join("\n")}\n`, day: date };
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

function words(entry: EntryShown, colours: Colours): string {
  const name = colours.bold(nameColour(entry.sender.kind, colours)(shownInline(entry.sender.name)));
  const text = shown(entry.text);
  switch (entry.kind) {
    case "message":
      return `${name}: ${text}${outcome(entry.outcome, colours)}`;
    case "directive":
      return `${name} pressed ${text}${outcome(entry.outcome, colours)}`;
    case "tool_call":
      return colours.dim(`${name} calls ${field(entry, "tool")} ${input(entry)}`);
    case "tool_result":
      return colours.dim(`${field(entry, "tool")} answers: ${text}`);
    case "ack":
      return colours.dim(`${field(entry, "persona")} begins (attempt ${field(entry, "attempt")})`);
    case "error":
      return colours.red(text === "" ? `${field(entry, "persona")} failed (${field(entry, "code")})` : text);
    case "notice":
      return colours.yellow(text);
    default:
      return pairWords(entry, name, colours);
  }
}

/** What the pair guard notes; any other kind, which a newer service may have, as it is. */
function pairWords(entry: EntryShown, name: string, colours: Colours): string {
  const pair = field(entry, "pair");
  switch (entry.kind) {
    case "agent_pair_paused":
      return colours.yellow(`${pair} paused (${field(entry, "reason")})`);
    case "agent_pair_held":
      return colours.dim(`a message for ${field(entry, "to")} is held`);
    case "agent_pair_resumed":
      return `${name} resumed ${pair}`;
    case "agent_pair_released":
      return colours.dim(`a held message goes to ${field(entry, "to")}`) + outcome(entry.outcome, colours);
    case "agent_pair_dropped":
      return colours.dim(`a held message of ${pair} is dropped`);
    default:
      return `${name} (${shownInline(entry.kind)}): ${shown(entry.text)}`;
  }
}

function nameColour(kind: string, colours: Colours): (text: string) => string {
  if (kind === "person") return colours.green;
  return kind === "agent" ? colours.cyan : colours.magenta;
}

/** A field that the entry's kind adds. */
function field(entry: EntryShown, name: string): string {
  const value = entry[name];
  return typeof value === "string" || typeof value === "number" ? shownInline(String(value)) : "?";
}

function input(entry: EntryShown): string {
  const text = shownInline(JSON.stringify(entry.input) ?? "");
  return text.length > INPUT_CHARACTERS ? `${text.slice(0, INPUT_CHARACTERS)}…` : text;
}

function outcome(result: OutcomeShown | null, colours: Colours): string {
  return colours.dim(` [${result === null ? "not decided yet" : outcomeWords(result)}]`);
}

function outcomeWords({ kind, reason, parts }: OutcomeShown): string {
  if (kind !== "parts") return reason === undefined ? kind : `${kind}: ${reason.replaceAll("_", " ")}`;
  if (parts.length === 0) return "woke nobody";
  return parts
    .map(
      ({ persona, result, ref }) =>
        `${result} ${shownInline(persona)}${ref === undefined ? "" : ` (${shownInline(ref)})`}`,
    )
    .join(", ");
}
