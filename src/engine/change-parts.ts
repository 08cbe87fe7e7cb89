import type { Change } from "../ports/store.js";

/** A piece of a change, to be joined with others into one commit. */
export interface ChangeParts {
  readonly append: NonNullable<Change["append"]>;
  readonly put: NonNullable<Change["put"]>;
  readonly expect: NonNullable<Change["expect"]>;
  readonly delete: NonNullable<Change["delete"]>;
}

export const NO_CHANGE: ChangeParts = { append: [], put: [], expect: [], delete: [] };

/** Joins pieces in their order. Later pieces append behind earlier ones. */
export function joinParts(...parts: readonly Partial<ChangeParts>[]): ChangeParts {
  return {
    append: parts.flatMap((part) => part.append ?? []),
    put: parts.flatMap((part) => part.put ?? []),
    expect: parts.flatMap((part) => part.expect ?? []),
    delete: parts.flatMap((part) => part.delete ?? []),
  };
}
