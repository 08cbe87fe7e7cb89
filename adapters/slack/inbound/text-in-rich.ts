import { codeSpan, fenced, quoted } from "../../shared/text-in-marks.js";
import { APP_MENTION, goesOn, harmless, sticks } from "../../shared/text-in-names.js";
import { linkText, type Names } from "./text-in-tokens.js";

type Json = Readonly<Record<string, unknown>>;

/** What the composer made, as Markdown; empty when there is no rich text among the blocks. */
export function richText(blocks: readonly unknown[], names: Names): string {
  const elements = blocks.filter((block) => isJson(block) && block.type === "rich_text").flatMap(elementsOf);
  let text = "";
  let isOpen = false;
  let list: number | undefined;
  for (const element of elements) {
    const { type } = element;
    const isList = type === "rich_text_list";
    // Indentation counts from the first item of a run: deeper than its parent it would be code.
    list = isList ? (list ?? numberOf(element, "indent")) : undefined;
    const part = isList ? listText(element, list ?? 0, names) : blockText(element, names);
    const isSection = type === "rich_text_section";
    // A line behind a quote would still belong to it.
    if (text !== "") text += isSection && isOpen ? "\n" : "\n\n";
    text += part;
    isOpen = isSection;
  }
  return text;
}

function blockText(element: Json, names: Names): string {
  const leaves = elementsOf(element);
  switch (element.type) {
    case "rich_text_quote":
      return quoted(inline(leaves, names).trimEnd());
    case "rich_text_preformatted":
      return fenced(leaves.map((leaf) => plainLeaf(leaf, names)).join(""));
    default:
      return inline(leaves, names).trimEnd();
  }
}

function listText(list: Json, base: number, names: Names): string {
  const isOrdered = list.style === "ordered";
  const first = numberOf(list, "offset") + 1;
  const indent = " ".repeat(4 * Math.max(0, numberOf(list, "indent") - base));
  return elementsOf(list)
    .map((item, i) => {
      const text = inline(elementsOf(item), names).trimEnd().replaceAll("\n", `\n${indent}  `);
      return `${indent}${isOrdered ? `${first + i}.` : "-"} ${text}`;
    })
    .join("\n");
}

/** Running text. A mention stands apart from the words around it, as Slack shows it. */
function inline(leaves: readonly Json[], names: Names): string {
  let text = "";
  // Looking at the end of the growing text itself would copy all of it for each mention.
  let end = "";
  let isAfterMention = false;
  const address = createAddress();
  for (const leaf of leaves) {
    const mention = leaf.type === "user" ? names.own(stringOf(leaf, "user_id")) : undefined;
    const part = styled(leaf, address(leaf, mention ?? plainLeaf(leaf, names)));
    const mustPart = (mention !== undefined && sticks(end)) || (isAfterMention && goesOn(part));
    text += mustPart ? ` ${part}` : part;
    end = (end + (mustPart ? ` ${part}` : part)).slice(-2);
    isAfterMention = mention !== undefined;
  }
  return text;
}

/** Leaves in their order: what shows a mere name is put in brackets right behind the app's mention, where it would address whoever has it. */
function createAddress(): (leaf: Json, shown: string) => string {
  let state: "start" | "addressing" | "past" = "start";
  return ({ type }, shown) => {
    const isName = state === "addressing" && !shown.startsWith("@") && NAMES.has(type);
    if (state === "start" && shown.trim() !== "") state = shown === APP_MENTION ? "addressing" : "past";
    else if (state === "addressing" && !/^[\s,:]*$/.test(shown)) state = "past";
    return isName ? `(${shown})` : shown;
  };
}

const NAMES: ReadonlySet<unknown> = new Set(["user", "usergroup", "date"]);

function plainLeaf(leaf: Json, names: Names): string {
  const id = (field: string) => stringOf(leaf, field);
  switch (leaf.type) {
    case "user":
      return names.own(id("user_id")) ?? names.person(id("user_id"));
    case "channel":
      return `#${names.label(id("channel_id")) ?? id("channel_id")}`;
    case "usergroup":
      return names.label(id("usergroup_id")) ?? id("usergroup_id");
    case "broadcast":
      return `@${id("range")}`;
    case "link":
      return linkText(id("url"), id("text"));
    case "emoji":
      return `:${id("name").replace(/[\s@`<>[\]]/g, "")}:`;
    case "date":
      return harmless(id("fallback"));
    case "color":
      return id("value");
    default:
      return id("text");
  }
}

const MARKS = [
  ["bold", "**"],
  ["italic", "_"],
  ["strike", "~~"],
] as const;

/** Marks stand against the words; spaces at the ends go outside. */
function styled(leaf: Json, text: string): string {
  const style = isJson(leaf.style) ? leaf.style : {};
  const core = text.trim();
  if (core === "") return text;
  let marked = style.code === true ? codeSpan(core) : core;
  for (const [name, mark] of MARKS) if (style[name] === true) marked = `${mark}${marked}${mark}`;
  return text.replace(core, () => marked);
}

function elementsOf(block: unknown): readonly Json[] {
  return isJson(block) && Array.isArray(block.elements) ? block.elements.filter(isJson) : [];
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function stringOf(json: Json, field: string): string {
  const value = json[field];
  return typeof value === "string" ? value : "";
}

function numberOf(json: Json, field: string): number {
  const value = json[field];
  return typeof value === "number" && value >= 0 && value <= 100 ? value : 0;
}
