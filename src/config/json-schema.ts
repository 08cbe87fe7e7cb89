import { z } from "zod";
import { personaSchema } from "./persona-schema.js";
import { configSchema } from "./schema.js";

/** Files that `troupe schema` describes. */
export type SchemaName = "config" | "persona";

const SCHEMAS = { config: configSchema, persona: personaSchema };

/** JSON Schema (draft 2020-12) of a file, for editors. */
export function jsonSchemaOf(name: SchemaName): object {
  return z.toJSONSchema(SCHEMAS[name], {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      for (const [key, property] of Object.entries(jsonSchema.properties ?? {})) {
        const isOptional = jsonSchema.required?.includes(key) !== true;
        if (isOptional && typeof property === "object") allowNothing(property);
      }
    },
  });
}

/** `key:` without a value is taken as absent, so an editor must not complain. */
function allowNothing(property: z.core.JSONSchema.BaseSchema): void {
  if (property.anyOf !== undefined) property.anyOf = [...property.anyOf, { type: "null" }];
  if (property.enum !== undefined) property.enum = [...property.enum, null];
  if (property.const !== undefined) {
    property.enum = [property.const, null];
    delete property.const;
  }
  // JSON Schema allows a list of types here; the type of the library knows only single ones.
  if (property.type !== undefined) Object.assign(property, { type: [property.type, "null"] });
}
