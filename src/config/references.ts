import type { ReadConfig } from "./config-file.js";
import { nearestOf } from "./nearest.js";
import { handleFor } from "./persona-names.js";
import type { PersonaSet } from "./personas.js";
import { type ConfigProblem, quoted } from "./problem.js";
import type { ConfigFile } from "./schema.js";
import { problemAt } from "./validate.js";
import type { Path } from "./yaml-source.js";

/** Checks what the configuration says about personas against those that there are. */
export function checkReferences({ settings, place }: ReadConfig, set: PersonaSet): readonly ConfigProblem[] {
  const known = set.personas.map((persona) => persona.name);
  const unknown = references(settings)
    .filter(({ name }) => !set.declared.has(name))
    .map(({ path, name }) => {
      const message = `there is no persona ${quoted(name)}`;
      return problemAt(place, { path, at: "value", message, mend: mendFor(name, known) });
    });
  const foreignHosts = hostsOutside(settings)
    .filter(({ name }) => set.declared.has(name))
    .map(({ path, name }) => {
      const message = `${quoted(name)} is no member of this room`;
      return problemAt(place, { path, at: "value", message, mend: "add it to the room's personas" });
    });
  const idle = idleSettings(settings).map((path): ConfigProblem => {
    const message = "has no effect in the web room, which is always wake: always and reply: channel";
    return { ...problemAt(place, { path, at: "key", message, mend: "remove it" }), severity: "warning" };
  });
  return [...unknown, ...foreignHosts, ...idle];
}

interface Reference {
  readonly path: Path;
  readonly name: string;
}

function references({ default_persona, rooms }: ConfigFile): readonly Reference[] {
  const overrides = Object.entries(rooms.overrides).flatMap(([id, { personas, host }]) => {
    const path = ["rooms", "overrides", id];
    return [...members([...path, "personas"], personas), ...one([...path, "host"], host)];
  });
  const defaults = members(["rooms", "defaults", "personas"], rooms.defaults.personas);
  return [...one(["default_persona"], default_persona), ...defaults, ...overrides];
}

function one(path: Path, name: string | undefined): readonly Reference[] {
  return name === undefined ? [] : [{ path, name }];
}

function members(path: Path, list: "all" | readonly string[] | undefined): readonly Reference[] {
  return list === undefined || list === "all" ? [] : list.map((name, index) => ({ path: [...path, index], name }));
}

function hostsOutside({ rooms }: ConfigFile): readonly Reference[] {
  return Object.entries(rooms.overrides).flatMap(([id, { personas, host }]) => {
    const roster = personas ?? rooms.defaults.personas;
    const isOutside = host !== undefined && roster !== "all" && !roster.includes(host);
    return isOutside ? [{ path: ["rooms", "overrides", id, "host"], name: host }] : [];
  });
}

function idleSettings({ rooms }: ConfigFile): readonly Path[] {
  return Object.entries(rooms.overrides)
    .filter(([id]) => id.startsWith("web:"))
    .flatMap(([id, { wake, reply }]) => [
      ...(wake === "mention" ? [["rooms", "overrides", id, "wake"]] : []),
      ...(reply === "thread" ? [["rooms", "overrides", id, "reply"]] : []),
    ]);
}

function mendFor(name: string, known: readonly string[]): string {
  const near = nearestOf(handleFor(name) ?? name, known);
  if (near !== undefined) return `did you mean ${near}?`;
  return known.length === 0 ? "write a persona file first" : `known personas: ${known.slice(0, 12).join(", ")}`;
}
