import { resolve } from "node:path";
import { initProject } from "../config/init.js";
import { EXIT } from "./failure.js";
import { coloursFor, type Io, shown } from "./terminal.js";

/** `troupe init`: writes the files to begin with and says what to do next. Returns the exit code. */
export async function init(dir: string, io: Io): Promise<number> {
  const { written, kept } = await initProject(resolve(io.cwd, dir));
  const { stdout } = io;
  const colours = coloursFor(io);
  for (const file of written) stdout.write(`${colours.green("wrote")} ${shown(file)}\n`);
  for (const file of kept) stdout.write(`${colours.dim("kept ")} ${shown(file)}\n`);
  const where = dir === "." ? "" : ` --config ${shown(dir)}/troupe.yaml`;
  stdout.write(`\nNext: troupe check${where}, then troupe start${where}\n`);
  return EXIT.ok;
}
