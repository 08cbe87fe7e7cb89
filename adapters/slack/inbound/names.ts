import type { Directory } from "./senders.js";
import { peopleIn } from "./text-in.js";

/** Nobody speaks to more people at once: who is named behind them stands there with the id. */
const MOST_NAMED = 30;

/** Reads a text with the names of the people in it, which are asked for first, all at once. */
export async function withNames(
  directory: Pick<Directory, "find">,
  read: (people: (id: string) => string) => string,
): Promise<string> {
  const ids = [...peopleIn(read)].slice(0, MOST_NAMED);
  const found = await Promise.all(ids.map((id) => directory.find(id)));
  const names = new Map(ids.map((id, i) => [id, found[i]?.name ?? id]));
  return read((id) => names.get(id) ?? id);
}
