import type { Persona } from "../../src/domain/persona.js";
import { scripted } from "./rooms.js";

const WORDS = [
  "amber birch cedar",
  "delta ember fjord",
  "grove harbor inlet",
  "jasper kelp lagoon",
  "meadow nectar ocean",
  "pebble quartz reef",
  "saffron tundra umber",
  "velvet willow xenon",
  "yarrow zephyr acorn",
  "basalt clover dune",
  "estuary fern glade",
  "heather iris juniper",
  "krill lichen marsh",
  "nettle orchid pine",
  "quince raven sage",
  "thistle urchin vine",
  "walnut yew zinnia",
  "alder bramble coral",
  "dahlia elm falcon",
  "ginger hazel ivy",
  "jade kale lotus",
  "maple nutmeg olive",
  "poppy rowan sorrel",
  "tulip violet wheat",
];

/** A persona that always answers `other`, with entirely different words every time. */
export function quarrelsome(name: string, other: string, offset = 0): Persona {
  const say = (_: unknown, i: number) => {
    const words = WORDS[(i + offset) % WORDS.length] ?? "";
    return { times: 1, steps: [{ say: `@${other} ${words} ${name}${String.fromCharCode(97 + (i % 26)).repeat(4)}` }] };
  };
  return scripted(name, ...Array.from({ length: 60 }, say));
}

/** A persona that says nearly the same to `other` every time. */
export function parrot(name: string, other: string): Persona {
  return scripted(name, `@${other} Confirmed, parked {{turn}}!`);
}
