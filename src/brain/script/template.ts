/** What the templates of a script stand for in one turn. */
export type TemplateValues = Readonly<Record<string, string>>;

const TEMPLATE = /\{\{\s*([a-z.]+)\s*\}\}/g;

/** The text with every known `{{name}}` replaced, in one pass: a value that looks like a template stays as it is. Unknown names stay. */
export function fillText(text: string, values: TemplateValues): string {
  return text.replace(TEMPLATE, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** A tool input with the strings in it filled, at any depth. */
export function fillInput(input: unknown, values: TemplateValues): unknown {
  if (typeof input === "string") return fillText(input, values);
  if (Array.isArray(input)) return input.map((item) => fillInput(item, values));
  if (typeof input !== "object" || input === null) return input;
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, fillInput(value, values)]));
}
