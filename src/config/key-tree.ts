import { z } from "zod";
import { nearestOf } from "./nearest.js";
import type { Path } from "./yaml-source.js";

/** The keys that a schema knows, to find the one that an unknown key was meant to be. */
export interface KeyTree {
  /** Keys that may stand beside the last key of the path. */
  siblings(path: Path): readonly string[];
  /** The known key that the last key of the path is a slip of, or the place where a key of that name belongs. */
  meant(path: Path): string | undefined;
}

/** The part of JSON Schema that tells which keys may stand where. */
interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

/** Reads the keys of a schema. */
export function createKeyTree(schema: z.ZodType): KeyTree {
  // JSON Schema is plain data, of which only what `Node` names is read.
  const root = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Node;
  const siblings = (path: Path) => {
    let nodes: readonly Node[] = [root];
    for (const step of path.slice(0, -1)) nodes = nodes.flatMap(branches).flatMap((node) => below(node, step));
    return nodes.flatMap(branches).flatMap((node) => Object.keys(node.properties ?? {}));
  };
  const meant = (path: Path) => {
    const name = String(path.at(-1));
    return nearestOf(name, siblings(path)) ?? findKey(root, name, []);
  };
  return { siblings, meant };
}

function branches(node: Node): readonly Node[] {
  return node.anyOf === undefined ? [node] : node.anyOf.flatMap(branches);
}

function below(node: Node, step: PropertyKey): readonly Node[] {
  if (typeof step === "number") return node.items === undefined ? [] : [node.items];
  const properties = node.properties ?? {};
  const named = Object.hasOwn(properties, step) ? properties[String(step)] : undefined;
  const rest = typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
  return [named ?? rest].filter((child) => child !== undefined);
}

/** The dotted path of the first place where a key of this name is known. */
function findKey(node: Node, name: string, above: readonly string[]): string | undefined {
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    const path = [...above, key];
    const found = key === name ? path.join(".") : findKey(child, name, path);
    if (found !== undefined) return found;
  }
  return undefined;
}
