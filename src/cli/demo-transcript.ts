import type { DemoLine } from "./demo-room.js";
import { type Colours, coloursFor, type Io, shown } from "./terminal.js";

/** Prints a conversation as a script is printed: names at the left, words beside them, notices in a box. */
export interface Transcript {
  title(text: string): void;
  line(line: DemoLine): void;
  close(text: string): void;
}

const NARROWEST = 50;
const WIDEST = 92;
const DEFAULT_WIDTH = 80;
/** Where words begin. */
const INDENT = 10;

export function createTranscript(io: Io): Transcript {
  const colours = coloursFor(io);
  const width = Math.min(Math.max((io.stdout.columns ?? DEFAULT_WIDTH) - 2, NARROWEST), WIDEST);
  const print = (lines: readonly string[]) => void io.stdout.write(`${lines.join("\n")}\n\n`);
  return {
    title: (text) => print(wrap(text, width).map((line) => colours.bold(line))),
    line(line) {
      if (line.kind === "notice") print(box(line, width, colours));
      else print(speech(line, width, colours));
    },
    close: (text) => print([colours.dim(text)]),
  };
}

function speech(
  { kind, name, isPerson, text }: Exclude<DemoLine, { kind: "notice" }>,
  width: number,
  colours: Colours,
): readonly string[] {
  const words = kind === "press" ? `[presses ${text}]` : text;
  const lines = shown(words)
    .split("\n")
    .flatMap((line) => wrap(line, width - INDENT));
  const label = `  ${shown(name)}`.padEnd(INDENT);
  const colour = isPerson ? colours.green : colours.cyan;
  return lines.map((line, index) =>
    index === 0 ? colour(label) + line : `${line === "" ? "" : " ".repeat(INDENT)}${line}`,
  );
}

function box(
  { title, text, buttons }: Extract<DemoLine, { kind: "notice" }>,
  width: number,
  colours: Colours,
): readonly string[] {
  const inner = width - INDENT - 4;
  const lines = [
    ...(title === "" ? [] : [title]),
    ...shown(text)
      .split("\n")
      .flatMap((line) => wrap(line, inner)),
    ...(buttons.length === 0 ? [] : ["", buttons.map((label) => `[ ${label} ]`).join("  ")]),
  ];
  const indent = " ".repeat(INDENT);
  const rule = "─".repeat(inner + 2);
  return [`┌${rule}┐`, ...lines.map((line) => `│ ${line.padEnd(inner)} │`), `└${rule}┘`].map(
    (line) => indent + colours.yellow(line),
  );
}

/** Breaks a line between words; what follows a list mark stays indented behind it. */
function wrap(line: string, width: number): readonly string[] {
  const hang = " ".repeat(/^\s*(?:\d+\.|-)\s+/.exec(line)?.[0].length ?? 0);
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (longer.length <= width || current === "") {
      current = longer;
      continue;
    }
    lines.push(current);
    current = hang + word;
  }
  return [...lines, current];
}
