import { isRecord, type Json, Refusal } from "./wire.js";

/** Collects what is wrong with a body, in the nested form of code 50035. */
export interface Problems {
  add(path: string, code: string, message: string): void;
  /** Longer than this, or shorter. */
  length(path: string, value: string, most: number, least?: number): void;
  throwIfAny(): void;
}

export function createProblems(): Problems {
  const tree: Json = {};

  /** `components.0.label` is three levels, and `_errors` below the last. */
  function add(path: string, code: string, message: string): void {
    let at = tree;
    for (const step of path.split(".")) {
      const below = at[step];
      const next: Json = isRecord(below) ? below : {};
      at[step] = next;
      at = next;
    }
    at._errors = [...(Array.isArray(at._errors) ? at._errors : []), { code, message }];
  }

  return {
    add,
    length(path, value, most, least = 0) {
      if (value.length > most) add(path, "BASE_TYPE_MAX_LENGTH", `Must be ${most} or fewer in length.`);
      else if (value.length < least)
        add(path, "BASE_TYPE_BAD_LENGTH", `Must be between ${least} and ${most} in length.`);
    },
    throwIfAny() {
      if (Object.keys(tree).length > 0) throw new Refusal(400, 50035, "Invalid Form Body", tree);
    },
  };
}
