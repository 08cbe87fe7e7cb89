import { z } from "zod";
import { parseModelId } from "../brain/model-id.js";
import { hasBidiOrControl } from "../domain/clean-text.js";
import { MODEL_FORM } from "./models.js";
import { HANDLE } from "./persona-names.js";

// Every field says in one phrase what it must be; the place, the key and the mend are added around it.

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number ${max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** One line of text that shows what it holds. */
export function line(maxLength: number) {
  const error = `must be one line of 1 to ${maxLength} characters without control or direction characters`;
  return z
    .string({ error })
    .trim()
    .min(1, { error })
    .max(maxLength, { error })
    .refine((text) => !hasBidiOrControl(text), { error });
}

/** One of a few words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be ${words.join(" or ")}` });
}

/** A map of known keys only. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, { error: "must be a map of keys" });
}

/** A list whose items differ. */
export function distinct<Item extends z.ZodType<string>>(item: Item, what: string) {
  return z.array(item, { error: `must be a list of ${what}` }).superRefine((items, context) => {
    items.forEach((value, index) => {
      if (items.indexOf(value) !== index)
        context.addIssue({ code: "custom", path: [index], message: "is in the list twice" });
    });
  });
}

/** The handle of a persona. That it exists is checked once all personas are read. */
export function handle() {
  const error = "must be a persona's name: a small letter, then up to 31 of a-z, 0-9, _ and -";
  return z.string({ error }).regex(HANDLE, { error });
}

/** The id that a platform gave to a user or a bot. */
export function platformId() {
  const error = "must be an id as the platform gives it, as text";
  return z.string({ error }).regex(/^[^\s\p{Cc}]{1,200}$/u, { error });
}

/** `provider:model` of a known provider. */
export function model() {
  const error = `must be ${MODEL_FORM}`;
  return z.string({ error }).refine((text) => parseModelId(text) !== undefined, { error });
}

/** A name or address to listen on. */
export function host() {
  const error = "must be a host name or an IP address";
  return z.string({ error }).regex(/^[A-Za-z0-9.:_-]{1,253}$/, { error });
}

/** Scheme, host and port of a web address. */
export function origin() {
  const error = "must be an http or https address without a path, such as https://troupe.example.org";
  return z
    .string({ error })
    .refine((text) => originOf(text) !== undefined, { error })
    .transform((text) => originOf(text) ?? text);
}

/** A web address without a query, to which paths are added: always with a slash at its end. `example`: a good one. */
export function baseAddress(example: string) {
  const error = `must be an http or https address, such as ${example}`;
  return z
    .string({ error })
    .refine(isBaseAddress, { error })
    .transform((text) => `${text.replace(/\/+$/, "")}/`);
}

function isBaseAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash, username } = new URL(text);
  return /^https?:$/.test(protocol) && search + hash + username === "";
}

function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = ["http:", "https:"].includes(url.protocol) && `${url.origin}/` === url.href;
  return isPlain ? url.origin : undefined;
}
