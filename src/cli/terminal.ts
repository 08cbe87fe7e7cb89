import pc from "picocolors";
import { escapeBidi } from "../domain/clean-text.js";

/** Where a command writes, as it finds it. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command may know of the process it runs in. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Environment;
  /** The working folder. */
  readonly cwd: string;
}

/** Functions that colour a text, or leave it as it is. */
export type Colours = Pick<typeof pc, "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "magenta" | "blue">;

/** Colours for standard output: only on a terminal that shows them, and never against NO_COLOR. */
export function coloursFor({ stdout, env }: Pick<Io, "stdout" | "env">): Colours {
  const isOff = env.NO_COLOR !== undefined && env.NO_COLOR !== "";
  return pc.createColors(stdout.isTTY === true && !isOff && env.TERM !== "dumb");
}

/** Control characters but newline, and the separators that act like one. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu;

/**
 * Text from outside as a terminal may show it: what would drive the terminal or reorder the line is written out, tabs
 * become spaces. Lines stay lines.
 */
export function shown(text: string): string {
  return escapeBidi(text.replaceAll("\t", "  ")).replace(CONTROLS, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${code}⟩`;
  });
}

/** The same on one line. */
export function shownInline(text: string): string {
  return shown(text.replaceAll(/\s+/g, " ")).trim();
}

/** Lets a reader that has seen enough (`| head`) end the command quietly. Output that cannot be written fails it, with one line. */
export function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
      if (stream === process.stdout) {
        process.stderr.write(
          `troupe: the output cannot be written (${error.code}): write it elsewhere, or free space\n`,
        );
      }
      process.exit(1);
    });
  }
}
