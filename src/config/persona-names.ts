import { hasBidiOrControl } from "../domain/clean-text.js";
import { foldName } from "../domain/names.js";
import { RESERVED_NAMES } from "../domain/persona.js";

/** The form of a handle. */
export const HANDLE = /^[a-z][a-z0-9_-]{0,31}$/;

/** Whether a name belongs to the app, a group mention or a command, in whatever letters it is written. */
export function isReserved(name: string): boolean {
  return RESERVED_NAMES.has(skeleton(name));
}

/** A handle made of any text, for a mend; `undefined` when nothing usable is left. */
export function handleFor(text: string): string | undefined {
  const plain = skeleton(text.normalize("NFKD"))
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, 32)
    .replace(/-+$/, "");
  return HANDLE.test(plain) && !isReserved(plain) ? plain : undefined;
}

/** What is wrong with a display name that people must be able to read and mention; `undefined` when it is fine. */
export function displayNameFault(name: string): string | undefined {
  const length = [...name].length;
  if (length === 0 || length > 80) return "must have 1 to 80 characters";
  if (hasBidiOrControl(withoutJoiners(name))) return "must not hold control, direction or invisible characters";
  if (/[@<>`\\"]/.test(name)) return 'must not hold @ < > ` \\ or "';
  if (!/[\p{L}\p{N}]/u.test(name)) return "must hold a letter or a digit";
  if (mixesScripts(name)) return "mixes letters of scripts that look alike";
  if (isReserved(name)) return "is a reserved word";
  return undefined;
}

/** Joins emoji parts into one picture; between letters it would only hide a difference. */
function withoutJoiners(name: string): string {
  return name.replace(
    /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)\u200d(?=\p{Extended_Pictographic})/gu,
    "",
  );
}

const LOOK_ALIKE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

function mixesScripts(name: string): boolean {
  return LOOK_ALIKE_SCRIPTS.filter((script) => script.test(name)).length > 1;
}

// Letters that most fonts draw like a Latin one, small and capital forms taken together. Not complete: it stops the plain tricks.
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    "аa вb сc ԁd еe ɡg һh нh іi ιi јj кk κk ӏl мm μm ηn оo οo рp ρp ԛq ѕs тt τt υu ѵv νv ԝw ωw хx χx уy γy",
    "αa βb εe օo հh ոn սu ցg զq",
  ]
    .join(" ")
    .split(" ")
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

/**
 * What a reader sees of a name: case, width, accents' composition, invisible characters and look-alike letters taken away. Names with
 * the same skeleton cannot be told apart.
 */
export function skeleton(name: string): string {
  const folded = foldName(name)
    .replace(/\p{Cf}|\ufe0f/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
  return [...folded].map((character) => LOOK_ALIKES.get(character) ?? character).join("");
}
