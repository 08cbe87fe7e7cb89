/** How the app itself is mentioned. */
export const APP_MENTION = "@Troupe";

/** Whether an `@` right behind this text would be no mention. */
export function sticks(before: string): boolean {
  return /[\p{L}\p{N}\p{M}_./@\\-]$/u.test(before.slice(-2));
}

/** Whether this text right behind a name would belong to the name, or is a mention that would stick to it. */
export function goesOn(after: string): boolean {
  return /^(?:[\p{L}\p{N}\p{M}_-]|<?@)/u.test(after);
}

/** A name without the characters by which it could be read as a mention or as markup. */
export function harmless(name: string): string {
  return name
    .replace(/[@`\\<>[\]*_~\n]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
