import { examine, type Finding } from "../doctor.js";
import { EXIT } from "./failure.js";
import { configSources, dataDirOf, type PlaceFlags } from "./places.js";
import { type Colours, coloursFor, type Io, shownInline } from "./terminal.js";

export interface DoctorFlags extends PlaceFlags {
  readonly json?: true;
}

/** `troupe doctor`: everything that was looked at, one line each. Returns the exit code: 1 when anything is wrong. */
export async function doctor(flags: DoctorFlags, io: Io): Promise<number> {
  const findings = await examine({ sources: configSources(flags, io), dataDir: dataDirOf(flags, io) });
  const ok = findings.every((finding) => finding.ok);
  if (flags.json) io.stdout.write(`${JSON.stringify({ ok, findings }, undefined, 2)}\n`);
  else for (const finding of findings) io.stdout.write(`${line(finding, coloursFor(io))}\n`);
  return ok ? EXIT.ok : EXIT.failed;
}

const WIDEST = "configuration".length;

function line({ check, ok, says, mend }: Finding, colours: Colours): string {
  const word = ok ? colours.green("ok     ") : colours.red("problem");
  const end = mend === undefined ? "" : ` — ${mend}`;
  return `${word}  ${check.padEnd(WIDEST)}  ${shownInline(says + end)}`;
}
