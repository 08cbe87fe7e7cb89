import type { Entry } from "../../domain/entry.js";
import type { NameOf } from "../../domain/pause-view.js";
import type { Delivery, SimulatedRoom, Simulation, Step } from "../../domain/simulation/simulation.js";
import { type Colours, shown, shownInline } from "../terminal.js";
import { cellsOf, inCells } from "./columns.js";
import type { ReplayInput } from "./replay-input.js";
import {
  deliveryWords,
  exhaustionWords,
  fateWords,
  passedOver,
  pauseWords,
  peakWords,
  recordedWords,
} from "./words.js";

/** What a replay is printed with. */
export interface TableOptions {
  readonly room: SimulatedRoom;
  readonly nameOf: NameOf;
  readonly colours: Colours;
  /** Width of the terminal; what goes to a file is as wide as it needs to be. */
  readonly columns: number;
}

/** A column of figures: its head, and what it shows of a delivery. */
interface Gauge {
  readonly head: string;
  readonly limit: number;
  /** The limit itself is within it. */
  readonly isInclusive: boolean;
  value(delivery: Delivery): number | undefined;
}

const NARROWEST_TEXT = 20;
const WIDEST_TEXT = 60;
const WIDEST_NAME = 14;
/** Characters of a message that are looked at; more than a row has place for. */
const MOST_SHOWN = 200;
/** The longest outcome that is counted on: "held for …: back and forth, paused". */
const OUTCOME = 42;

/** What is replayed, where, and with which thresholds. */
export function headLines(
  source: string,
  { log, personas }: ReplayInput,
  { room, colours }: TableOptions,
): readonly string[] {
  const { settings, guard, host } = room;
  const names = personas.map(({ displayName }) => shown(displayName)).join(", ") || "nobody";
  const messages = log.filter(({ entry }) => entry.kind === "message").length;
  const rules = [
    `${guard.alternations} back and forth`,
    `${guard.repeats} alike at ${guard.similarity} %`,
    guard.maxMessages > 0 && guard.windowSecs > 0 && `more than ${guard.maxMessages} in ${guard.windowSecs} s`,
  ];
  const thresholds = [
    `budget ${settings.budget}`,
    `fan-out ${settings.fanout}`,
    `wake ${settings.wake}`,
    host !== undefined && `host ${shown(host)}`,
    guard.enabled ? `guard: ${rules.filter(Boolean).join(", ")}` : "guard off",
  ];
  return [
    `${colours.bold(shown(source))}  ${messages} messages, personas: ${names}`,
    colours.dim(thresholds.filter(Boolean).join(" · ")),
    "",
  ];
}

/** A replay as lines for people: one row for each message and pressed button, then what would have happened. */
export function simulationLines({ steps, ...simulation }: Simulation, options: TableOptions): readonly string[] {
  const { colours } = options;
  const gauges = gaugesOf(options.room);
  const layout = layoutOf(steps, gauges, options);
  const head = ["#".padStart(layout.seq), inCells("who", layout.name), inCells("says", layout.text)];
  const heads = gauges.map(({ head, limit }) => head.padStart(widthOf(head, limit)));
  return [
    colours.dim([...head, ...heads, "would be"].join("  ")),
    ...steps.flatMap((step) => rows(step, gauges, layout, options)),
    "",
    ...summary({ steps, ...simulation }, options),
  ];
}

function gaugesOf({ settings, guard }: SimulatedRoom): readonly Gauge[] {
  const burst: Gauge = { head: "burst", limit: settings.budget, isInclusive: false, value: ({ burst }) => burst?.used };
  if (!guard.enabled) return [burst];
  const window = { head: "window", limit: guard.maxMessages, isInclusive: true, value: meter("window") };
  return [
    burst,
    { head: "run", limit: guard.alternations, isInclusive: false, value: meter("run") },
    { head: "alike", limit: guard.repeats, isInclusive: false, value: meter("repeats") },
    ...(guard.maxMessages > 0 && guard.windowSecs > 0 ? [window] : []),
  ];
}

function meter(name: "run" | "repeats" | "window"): Gauge["value"] {
  return ({ meters }) => meters?.[name];
}

function widthOf(head: string, limit: number): number {
  return Math.max(head.length, `${limit}/${limit}`.length);
}

interface Layout {
  readonly seq: number;
  readonly name: number;
  readonly text: number;
}

function layoutOf(steps: readonly Step[], gauges: readonly Gauge[], { columns }: TableOptions): Layout {
  const widest = (least: number, cells: (entry: Entry) => number) =>
    steps.reduce((most, { entry }) => Math.max(most, cells(entry)), least);
  const seq = widest(2, (entry) => String(entry.seq).length);
  const name = Math.min(
    WIDEST_NAME,
    widest(3, ({ sender }) => cellsOf(shownInline(sender.name))),
  );
  const figures = gauges.reduce((sum, { head, limit }) => sum + 2 + widthOf(head, limit), 0);
  const left = columns - seq - name - figures - OUTCOME - 6;
  const longest = widest(4, (entry) => cellsOf(textOf(entry)));
  return { seq, name, text: Math.min(longest, Math.max(NARROWEST_TEXT, Math.min(left, WIDEST_TEXT))) };
}

/** One row for each addressee; what the first says is not repeated. */
function rows(step: Step, gauges: readonly Gauge[], layout: Layout, options: TableOptions): readonly string[] {
  const { entry, fate } = step;
  const { colours, nameOf } = options;
  const isSaid = fate.kind !== "unsaid" && fate.kind !== "needless";
  const tone = isSaid ? (text: string) => text : colours.dim;
  const name = inCells(shownInline(entry.sender.name), layout.name);
  const left = [
    colours.dim(String(entry.seq).padStart(layout.seq)),
    isSaid ? nameColour(entry, colours)(name) : colours.dim(name),
    tone(inCells(textOf(entry), layout.text)),
  ].join("  ");
  const blank = " ".repeat(layout.seq + layout.name + layout.text + 4);
  const mark = step.differs ? colours.magenta(`  ≠ ${recordedWords(step.recorded, nameOf)}`) : "";
  if (fate.kind !== "decided") {
    const none = gauges.map(({ head, limit }) => " ".repeat(widthOf(head, limit)));
    const words = fateWords(fate, step, nameOf);
    return [[left, ...none, (fate.kind === "resumed" ? colours.green : colours.dim)(words)].join("  ") + mark];
  }
  return fate.deliveries.map((delivery, index) => {
    const figures = gauges.map((gauge) => figure(gauge, delivery, colours));
    const words = resultColour(delivery, colours)(deliveryWords(delivery, nameOf));
    const row = [index === 0 ? left : blank, ...figures, words].join("  ");
    return index === 0 ? row + colours.dim(shown(passedOver(step, nameOf))) + mark : row;
  });
}

/** A message on one line; of a pressed button, which. */
function textOf(entry: Entry): string {
  if (entry.kind === "directive") return entry.action === "continue" ? "[Continue]" : "[Retry]";
  return entry.kind === "agent_pair_resumed" ? "[Resume]" : shownInline(entry.text.slice(0, MOST_SHOWN));
}

function figure({ head, limit, isInclusive, value }: Gauge, delivery: Delivery, colours: Colours): string {
  const width = widthOf(head, limit);
  const count = value(delivery);
  if (count === undefined) return colours.dim("·".padStart(width));
  const text = `${count}/${limit}`.padStart(width);
  if (isInclusive ? count > limit : count >= limit) return colours.red(text);
  return count * 10 >= limit * 7 ? colours.yellow(text) : text;
}

function nameColour({ sender }: Entry, colours: Colours): (text: string) => string {
  if (sender.kind === "person") return colours.green;
  return sender.kind === "agent" ? colours.cyan : colours.magenta;
}

function resultColour({ result }: Delivery, colours: Colours): (text: string) => string {
  if (result === "woke") return colours.green;
  return result === "suppressed" ? colours.yellow : colours.red;
}

function summary({ steps, pauses, exhaustions, peaks }: Simulation, options: TableOptions): readonly string[] {
  const { colours, nameOf } = options;
  const places = [
    ...exhaustions.map((one) => ({ seq: one.entry.seq, text: exhaustionWords(one, nameOf) })),
    ...pauses.map((one) => ({ seq: one.entry.seq, text: pauseWords(one, nameOf) })),
  ].sort((a, b) => a.seq - b.seq);
  const lines = places.map(({ seq, text }) => `${`#${seq}`.padStart(6)}  ${shown(text)}`);
  const near = peaks.map(peakWords).join(", ");
  return [
    colours.bold("What would have happened"),
    ...(lines.length === 0 ? ["  Nobody would have been stopped."] : lines),
    ...(pauses.length === 0 && near !== "" ? [colours.dim(`  Nearest to a pause: ${near}.`)] : []),
    `  ${totals(steps)}`,
    `  ${comparison(steps, colours)}`,
  ];
}

function totals(steps: readonly Step[]): string {
  const results = steps.flatMap(({ fate }) => (fate.kind === "decided" ? fate.deliveries : []));
  const count = (result: Delivery["result"]) => results.filter((delivery) => delivery.result === result).length;
  const unsaid = steps.filter(({ fate }) => fate.kind === "unsaid").length;
  const words = [
    `${count("woke")} woken`,
    `${count("suppressed")} waiting for the budget`,
    `${count("held")} held`,
    `${count("refused")} refused`,
    `${unsaid} never said`,
  ];
  return `${words.filter((text, index) => index === 0 || !text.startsWith("0 ")).join(", ")}.`;
}

function comparison(steps: readonly Step[], colours: Colours): string {
  const compared = steps.filter(({ recorded }) => recorded !== undefined).length;
  const [first, ...others] = steps.filter(({ differs }) => differs);
  if (first !== undefined) {
    const count = others.length + 1;
    const where = count === 1 ? `#${first.entry.seq}` : `the first at #${first.entry.seq}`;
    return colours.magenta(`${count} of ${steps.length} would be different from what is recorded (≠): ${where}.`);
  }
  if (compared === 0) return colours.dim("Nothing is recorded to compare with.");
  return colours.dim(`Everything is as recorded: ${compared} of ${compared}.`);
}
