import { isRecord, type Json, records } from "./wire.js";

/** Looks up `#/components/schemas/X`. */
export type Resolve = (pointer: string) => Json;

/**
 * Names in a body that no branch of its schema knows, as `embeds.0.titel`. The schemas do not forbid further names, so a misspelt one
 * would pass them.
 */
export function unknownKeys(value: unknown, schemas: readonly Json[], resolve: Resolve, path = ""): readonly string[] {
  const branches = schemas.flatMap((schema) => branchesOf(schema, resolve));
  if (Array.isArray(value)) {
    const items = branches.flatMap((it) => (isRecord(it.items) ? [it.items] : []));
    if (items.length === 0) return [];
    return value.flatMap((item, index) => unknownKeys(item, items, resolve, `${path}${index}.`));
  }
  if (!isRecord(value)) return [];
  const objects = branches.filter((it) => isRecord(it.properties) || it.additionalProperties !== undefined);
  // Nothing is said about its names.
  if (objects.length === 0 || objects.some((it) => it.additionalProperties)) return [];
  return Object.entries(value).flatMap(([name, held]) => {
    const known = objects.flatMap(({ properties }) => {
      const schema = isRecord(properties) ? properties[name] : undefined;
      return isRecord(schema) ? [schema] : [];
    });
    return known.length === 0 ? [`${path}${name}`] : unknownKeys(held, known, resolve, `${path}${name}.`);
  });
}

/** A schema with all that it refers to and is made of. */
function branchesOf(schema: Json, resolve: Resolve): readonly Json[] {
  const named = typeof schema.$ref === "string" ? branchesOf(resolve(schema.$ref), resolve) : [];
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(records);
  return [schema, ...named, ...parts.flatMap((part) => branchesOf(part, resolve))];
}
