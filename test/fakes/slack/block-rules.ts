import { expandedBlocks } from "./markdown.js";
import { isRecord, type Json, Refusal, records, refuseArguments, textOf } from "./wire.js";

const TYPES = new Set(
  "section header actions context divider image rich_text markdown table file video input context_actions".split(" "),
);
const MOST_BLOCKS = 50;
const LONGEST_MARKDOWN = 12_000;
/** Undocumented; seen refused near this size. */
const LONGEST_PAYLOAD = 13_200;

/**
 * Holds the blocks of a message against the limits, and gives each block and button the ids they come back with. Refuses with
 * `invalid_blocks`, saying where, or `msg_blocks_too_long`.
 */
export function checkBlocks(given: readonly unknown[], mintId: (prefix: string) => string): readonly Json[] {
  const blocks = records(given);
  if (blocks.length !== given.length) throw invalid("must be an object", "/blocks");
  if (JSON.stringify(blocks).length > LONGEST_PAYLOAD) throw new Refusal("msg_blocks_too_long");
  blocks.forEach((block, index) => {
    checkBlock(block, `/blocks/${index}`);
  });
  const markdown = blocks.filter((block) => block.type === "markdown").map((block) => textOf(block, "text") ?? "");
  if (markdown.join("").length > LONGEST_MARKDOWN)
    throw invalid(`must be less than ${LONGEST_MARKDOWN + 1} characters`, "/blocks");
  const expanded = blocks.length - markdown.length + markdown.reduce((sum, text) => sum + expandedBlocks(text), 0);
  if (expanded > MOST_BLOCKS) throw invalid(`no more than ${MOST_BLOCKS} items allowed`, "/blocks");
  const withIds = blocks.map((block) => identified(block, mintId));
  checkUnique(
    withIds.map((block) => block.block_id),
    "block_id",
    "/blocks",
  );
  return withIds;
}

function invalid(reason: string, pointer: string): Refusal {
  return refuseArguments("invalid_blocks", `${reason} [json-pointer:${pointer}]`);
}

function checkBlock(block: Json, at: string): void {
  const type = textOf(block, "type");
  if (type === undefined || !TYPES.has(type)) throw invalid(`unsupported type: ${type}`, `${at}/type`);
  checkLength(block.block_id, 255, `${at}/block_id`);
  if (type === "section") checkSection(block, at);
  if (type === "header") checkText(block.text, 150, `${at}/text`);
  if (type === "markdown" && !textOf(block, "text")) throw invalid("missing required field: text", at);
  if (type === "context") checkCount(block.elements, 10, `${at}/elements`);
  if (type === "actions") checkActions(block, at);
  if (type === "image" && !textOf(block, "alt_text")) throw invalid("missing required field: alt_text", at);
}

function checkSection(block: Json, at: string): void {
  if (block.text === undefined && block.fields === undefined)
    throw invalid("missing required field: text or fields", at);
  if (block.text !== undefined) checkText(block.text, 3_000, `${at}/text`);
  if (block.fields !== undefined) checkCount(block.fields, 10, `${at}/fields`);
  records(block.fields).forEach((field, index) => {
    checkText(field, 2_000, `${at}/fields/${index}`);
  });
  if (isRecord(block.accessory)) checkElement(block.accessory, `${at}/accessory`);
}

function checkActions(block: Json, at: string): void {
  checkCount(block.elements, 25, `${at}/elements`);
  const elements = records(block.elements);
  elements.forEach((element, index) => {
    checkElement(element, `${at}/elements/${index}`);
  });
  checkUnique(
    elements.map((element) => element.action_id),
    "action_id",
    `${at}/elements`,
  );
}

function checkElement(element: Json, at: string): void {
  checkLength(element.action_id, 255, `${at}/action_id`);
  if (element.type !== "button") return;
  if (isRecord(element.text) && element.text.type !== "plain_text") throw invalid("must be plain_text", `${at}/text`);
  checkText(element.text, 75, `${at}/text`);
  checkLength(element.value, 2_000, `${at}/value`);
  checkLength(element.url, 3_000, `${at}/url`);
  if (![undefined, "primary", "danger"].includes(textOf(element, "style")))
    throw invalid("unsupported style", `${at}/style`);
}

function checkText(value: unknown, most: number, at: string): void {
  const text = isRecord(value) ? textOf(value, "text") : undefined;
  if (text === undefined || text.length === 0) throw invalid("must be more than 0 characters", `${at}/text`);
  checkLength(text, most, `${at}/text`);
}

function checkLength(value: unknown, most: number, at: string): void {
  if (typeof value === "string" && value.length > most) throw invalid(`must be less than ${most + 1} characters`, at);
}

function checkCount(value: unknown, most: number, at: string): void {
  if (!Array.isArray(value) || value.length === 0) throw invalid("no fewer than 1 item allowed", at);
  if (value.length > most) throw invalid(`no more than ${most} items allowed`, at);
}

function checkUnique(ids: readonly unknown[], name: string, at: string): void {
  const given = ids.filter((id) => id !== undefined);
  if (new Set(given).size !== given.length) throw invalid(`\`${name}\` already exists`, at);
}

/** A `block_id` of one's own is ignored on Markdown. */
function identified(block: Json, mintId: (prefix: string) => string): Json {
  const own = block.type === "markdown" ? undefined : textOf(block, "block_id");
  const elements = records(block.elements);
  const named = elements.map((element) =>
    element.type === "button" && element.action_id === undefined ? { ...element, action_id: mintId("act") } : element,
  );
  return { ...block, block_id: own ?? mintId("b"), ...(block.type === "actions" ? { elements: named } : {}) };
}
