import { describe, expect, it } from "vitest";
import { jsonSchemaOf } from "../../src/config/json-schema.js";

interface Node {
  readonly description?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: unknown;
}

function described(path: string, node: Node): readonly (readonly [string, boolean])[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => [
    [`${path}${key}`, child.description !== undefined] as const,
    ...described(`${path}${key}.`, child),
  ]);
}

describe("the JSON Schemas", () => {
  it.each(["config", "persona"] as const)("describe every key of the %s", (name) => {
    const keys = described("", jsonSchemaOf(name));

    expect(keys.length).toBeGreaterThan(7);
    expect(keys.filter(([, hasDescription]) => !hasDescription)).toEqual([]);
  });

  it("refuse unknown keys in the configuration, and allow them in a persona", () => {
    expect(jsonSchemaOf("config")).toMatchObject({ additionalProperties: false });
    expect(jsonSchemaOf("persona")).not.toHaveProperty("additionalProperties");
    expect(jsonSchemaOf("persona")).toMatchObject({ required: ["name"] });
  });

  it("allow a key without a value, as the loader does", () => {
    expect(jsonSchemaOf("config")).toMatchObject({
      properties: {
        team: { type: ["string", "null"] },
        web: { type: ["object", "null"] },
        version: { enum: [1, null] },
      },
    });
  });

  it("are plain JSON", () => {
    expect(JSON.parse(JSON.stringify(jsonSchemaOf("config")))).toEqual(jsonSchemaOf("config"));
  });
});
