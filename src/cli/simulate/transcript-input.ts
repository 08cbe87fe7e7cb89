import { cleanInbound } from "../../domain/clean-text.js";
import type { Entry } from "../../domain/entry.js";
import { createMentionParser, type Mentionable, type MentionParser } from "../../domain/mention.js";
import { foldName } from "../../domain/names.js";
import { pairId } from "../../domain/pair.js";
import { addressed } from "../../domain/route.js";
import type { Recorded } from "../../domain/simulation/simulation.js";
import type { ReplayInput, Speaker } from "./replay-input.js";

/** One turn of a transcript. */
interface Said {
  readonly name: string;
  readonly text: string;
  /** Milliseconds; absent where the line has no time. */
  readonly at?: number;
}

/** Who is known beforehand. */
export interface Cast {
  /** Exactly these are personas. Absent: whoever is mentioned, and whoever is `known`. */
  readonly personas?: readonly string[];
  /** Personas of the team. */
  readonly known: readonly Speaker[];
}

/** A pressed button. */
const BUTTON = /^\[(?:presses )?(continue|resume)\]$/i;

/** What has no time was said so long after what came before it. */
const PACE_MS = 5_000;

/** `name: text`, the name in front of an optional time: `[12:30]`, `12:30:05` or a whole date. */
const LINE =
  /^(?:\[?((?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)\]?\s+)?(?:[-*]\s+)?\**@?(?!\d+[.)])([\p{L}\p{N}][^:@<>`"\n]{0,39}?)\**:\**(?:\s+(.*))?$/u;

/**
 * The turns of a pasted conversation, `name: text` each. A line without a name, one that is indented and one inside a fence go on
 * with the turn before. Empty where no line has a name.
 */
export function transcriptLines(text: string): readonly Said[] {
  const said: { name: string; lines: string[]; at: number | undefined }[] = [];
  let isFenced = false;
  for (const line of cleanInbound(text).split("\n")) {
    const match = isFenced || /^\s/.test(line) ? undefined : LINE.exec(line);
    const [, time, name, words = ""] = match ?? [];
    if (name !== undefined) said.push({ name: name.trim(), lines: [words], at: timeOf(time, said.at(-1)?.at) });
    else said.at(-1)?.lines.push(line.trim());
    if (/^\s*(?:```|~~~)/.test(name === undefined ? line : words)) isFenced = !isFenced;
  }
  return said.map(({ name, lines, at }) => ({
    name,
    text: lines.join("\n").trim(),
    ...(at === undefined ? {} : { at }),
  }));
}

const DAY_MS = 86_400_000;

/** A time without a date is on the day of the time before it, or on the next where that is earlier. */
function timeOf(text: string | undefined, before: number | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text.includes("-")) return Date.parse(text.replace(" ", "T").replace(/T(\d):/, "T0$1:"));
  const [hours = 0, minutes = 0, seconds = 0] = text.split(":").map(Number);
  const ofDay = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  if (before === undefined) return ofDay;
  const same = before - (((before % DAY_MS) + DAY_MS) % DAY_MS) + ofDay;
  return same < before ? same + DAY_MS : same;
}

/** A pasted conversation as a log. A button is written as `[Continue]` or `[Resume]`. */
export function transcriptInput(lines: readonly Said[], cast: Cast, session: string): ReplayInput {
  const personas = personasOf(lines, cast);
  const parse = createMentionParser(personas);
  const byName = new Map(personas.flatMap((one) => [one.name, one.displayName].map((name) => [foldName(name), one])));
  const log: Recorded[] = [];
  let at = 0;
  for (const said of lines) {
    at = said.at ?? at + PACE_MS;
    const place = { v: 1, seq: log.length + 1, session, id: `line-${log.length + 1}`, at } as const;
    const persona = byName.get(foldName(said.name));
    log.push({ entry: entryOf({ said, place, persona, personas, parse, log }) });
  }
  return { log, personas, traces: { wake: "always", ...hostOf(lines, byName, parse) } };
}

interface Line {
  readonly said: Said;
  readonly place: Pick<Entry, "v" | "seq" | "session" | "id" | "at">;
  readonly persona: Speaker | undefined;
  readonly personas: readonly Speaker[];
  readonly parse: MentionParser;
  readonly log: readonly Recorded[];
}

function entryOf({ said, place, persona, personas, parse, log }: Line): Entry {
  const { text } = said;
  if (persona !== undefined) {
    const sender = { kind: "agent", id: persona.name, name: persona.displayName } as const;
    return { ...place, kind: "message", sender, text, cause: { kind: "agent" } };
  }
  const sender = { kind: "person", id: foldName(said.name), name: said.name } as const;
  const button = BUTTON.exec(text)?.[1]?.toLowerCase();
  const cause = { kind: button === undefined ? "person" : "button" } as const;
  if (button === "continue")
    return {
      ...place,
      kind: "directive",
      action: "continue",
      wakes: [],
      sender,
      text: "Continue",
      cause,
    };
  if (button === "resume") {
    const pair = lastPair(log, personas, place.session);
    if (pair !== undefined) return { ...place, kind: "agent_pair_resumed", pair, sender, text: "", cause };
  }
  const to = addressed(
    text,
    parse,
    personas.map(({ name }) => name),
  )?.persona;
  return { ...place, kind: "message", sender, text, cause, mayResume: true, ...(to === undefined ? {} : { to }) };
}

/** The pair of the last message from one persona to another. */
function lastPair(log: readonly Recorded[], personas: readonly Speaker[], session: string): string | undefined {
  const parse = createMentionParser(personas);
  for (const { entry } of log.toReversed()) {
    if (entry.kind !== "message" || entry.sender.kind !== "agent") continue;
    const other = parse(entry.text).find((mention) => mention.kind === "persona" && mention.name !== entry.sender.id);
    if (other?.kind !== "persona") continue;
    return pairId(session, { session, agent: entry.sender.id }, { session, agent: other.name });
  }
  return undefined;
}

function personasOf(lines: readonly Said[], { personas, known }: Cast): readonly Speaker[] {
  const speakers = [...new Map(lines.map(({ name }) => [foldName(name), name])).values()];
  const all: readonly Mentionable[] = speakers.map((name) => ({ name: foldName(name), displayName: name }));
  if (personas !== undefined) {
    const spoken = (name: string) => speakers.find((speaker) => foldName(speaker) === foldName(name)) ?? name;
    return personas.map((name) => ({ name: foldName(name), displayName: spoken(name) }));
  }
  const ofTeam = known.filter((one) =>
    all.some(({ name }) => [one.name, one.displayName].some((own) => foldName(own) === name)),
  );
  const parse = createMentionParser(all);
  const mentioned = new Set(
    lines.flatMap(({ name: by, text }) =>
      parse(text).flatMap((mention) =>
        mention.kind === "persona" && mention.name !== foldName(by) ? [mention.name] : [],
      ),
    ),
  );
  // Who begins is a person, also when a persona answers with a mention.
  mentioned.delete(foldName(lines[0]?.name ?? ""));
  const isOfTeam = (name: string) =>
    ofTeam.some((one) => foldName(one.name) === name || foldName(one.displayName) === name);
  return [...ofTeam, ...all.filter(({ name }) => mentioned.has(name) && !isOfTeam(name))];
}

/** Whoever answers the first words of a person that mention nobody. */
function hostOf(
  lines: readonly Said[],
  byName: ReadonlyMap<string, Speaker>,
  parse: MentionParser,
): { readonly host?: string } {
  const asked = lines.findIndex(
    ({ name, text }) => !byName.has(foldName(name)) && parse(text).length === 0 && !BUTTON.test(text),
  );
  const answered = asked < 0 ? undefined : byName.get(foldName(lines[asked + 1]?.name ?? ""));
  return answered === undefined ? {} : { host: answered.name };
}
