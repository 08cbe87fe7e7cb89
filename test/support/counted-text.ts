import { type Units, unitsOf } from "../../src/domain/scan.js";

/** A text whose every look at a character is counted: it makes "linear" a fact about counts, not about time. */
export interface CountedText {
  readonly units: Units;
  /** How many characters have been looked at until now. */
  reads(): number;
}

/** The text's units behind a counter. A search that the language makes by itself counts the whole text. */
export function countedText(text: string): CountedText {
  const units = unitsOf(text);
  let reads = 0;
  const counting = new Proxy(units, {
    get(target, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      return (...parameters: unknown[]) => {
        reads += target.length;
        return Reflect.apply(value, target, parameters);
      };
    },
  });
  return { units: counting, reads: () => reads };
}
