const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** The default room, which everybody who opens the page sees first. */
export const MAIN_ROOM = "web:local:main";

/** A typed name as a room's name: lower case, blanks to dashes; `undefined` when that is still none. */
export function roomNameFrom(typed: string): string | undefined {
  const name = typed
    .trim()
    .toLowerCase()
    .replace(/^#/, "")
    .replace(/[\s_]+/g, "-");
  return NAME.test(name) ? name : undefined;
}

export function webRoom(name: string): string {
  return `web:local:${name}`;
}

/** Whether people can write in the room from here; rooms of other platforms can be read only. */
export function isWebRoom(id: string): boolean {
  return id.startsWith("web:");
}

/** The short name of a room, as lists and titles show it. */
export function roomLabel(id: string): string {
  return isWebRoom(id) ? (id.split(":")[2] ?? id) : id;
}
