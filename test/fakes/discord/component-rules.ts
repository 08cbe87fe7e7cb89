import type { Problems } from "./problems.js";
import { type Json, numberOf, records, textOf } from "./wire.js";

/** Components V2: the message is made of components alone. */
export const IS_V2 = 1 << 15;

const ROW = 1;
const BUTTON = 2;
const TEXT_DISPLAY = 10;
const LINK_STYLE = 5;

/** Finds what Discord refuses about the components of a message. */
export function checkComponents(components: readonly Json[], flags: number, problems: Problems): void {
  const isV2 = (flags & IS_V2) !== 0;
  const all = flat(components);
  const most = isV2 ? 40 : 5;
  const count = isV2 ? all.length : components.length;
  if (count > most) problems.add("components", "BASE_TYPE_MAX_LENGTH", `Must be ${most} or fewer in length.`);
  components.forEach((component, index) => {
    const path = `components.${index}`;
    if (component.type === ROW) checkRow(component, path, problems);
    else if (!isV2) {
      const message = 'Value of field "type" must be one of (1,).';
      problems.add(`${path}.type`, "UNION_TYPE_CHOICES", message);
    }
  });
  checkIds(all, problems);
  const text = all
    .filter((it) => it.type === TEXT_DISPLAY)
    .reduce((sum, it) => sum + (textOf(it, "content")?.length ?? 0), 0);
  if (text > 4000) {
    problems.add("components", "COMPONENT_MAX_TOTAL_TEXT_LENGTH", "Must be 4000 or fewer characters in total.");
  }
}

function checkRow(row: Json, path: string, problems: Problems): void {
  const inner = records(row.components);
  if (inner.length < 1 || inner.length > 5) {
    problems.add(`${path}.components`, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.");
  }
  inner.forEach((component, index) => {
    if (component.type === BUTTON) checkButton(component, `${path}.components.${index}`, problems);
  });
}

function checkButton(button: Json, path: string, problems: Problems): void {
  const [label, customId, style] = [textOf(button, "label"), textOf(button, "custom_id"), numberOf(button, "style")];
  if (label !== undefined) problems.length(`${path}.label`, label, 80);
  if (!label && !button.emoji) {
    problems.add(path, "BUTTON_COMPONENT_MISSING_LABEL", "A button needs a label or an emoji.");
  }
  if (style === undefined || style < 1 || style > 6) {
    problems.add(`${path}.style`, "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}.");
  }
  if (style === LINK_STYLE) {
    if (!textOf(button, "url")) problems.add(`${path}.url`, "BASE_TYPE_REQUIRED", "This field is required");
    return;
  }
  if (customId === undefined) problems.add(`${path}.custom_id`, "BASE_TYPE_REQUIRED", "This field is required");
  else problems.length(`${path}.custom_id`, customId, 100, 1);
}

function checkIds(all: readonly Json[], problems: Problems): void {
  const seen = new Set<string>();
  for (const component of all) {
    const id = textOf(component, "custom_id");
    if (id === undefined) continue;
    if (seen.has(id)) {
      problems.add("components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated");
      return;
    }
    seen.add(id);
  }
}

/** Every component, also those inside others. */
export function flat(components: readonly Json[]): readonly Json[] {
  return components.flatMap((it) => [it, ...flat([...records(it.components), ...records([it.accessory])])]);
}
