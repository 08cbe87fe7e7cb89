import fc from "fast-check";
import type { ComponentChildren } from "preact";
import { describe, expect, it } from "vitest";
import { parseMarkdown, safeAddress } from "../../../adapters/web/page/src/markdown/parse.js";
import { renderMarkdown } from "../../../adapters/web/page/src/markdown/render.js";

const CONTEXT = { roster: [{ name: "alpha", displayName: "Alpha" }], toneOf: () => "tone-0" };

interface Element {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>> & { readonly children?: ComponentChildren };
}

function isElement(node: unknown): node is Element {
  return typeof node === "object" && node !== null && "props" in node;
}

/** Every element of what was rendered, parents first. */
function elements(node: unknown): readonly Element[] {
  if (Array.isArray(node)) return node.flatMap(elements);
  return isElement(node) ? [node, ...elements(node.props.children)] : [];
}

/** All text of what was rendered. */
function words(node: unknown): string {
  if (Array.isArray(node)) return node.map(words).join("");
  if (isElement(node)) return words(node.props.children) + (node.props.code ?? "");
  return typeof node === "string" || typeof node === "number" ? String(node) : "";
}

function tags(source: string): readonly unknown[] {
  return elements(renderMarkdown(source, CONTEXT)).map((element) => element.type);
}

describe("a message's Markdown", () => {
  it.each([
    ["**a** *b* ~~c~~ `d`", ["p", "strong", "em", "del", "code"]],
    ["# a\n\n## b\n\n#### c", ["h3", "h4", "h5"]],
    ["1. a\n2. b", ["ol", "li", "li"]],
    ["> a", ["blockquote", "p"]],
    ["a  \nb", ["p", "br"]],
    ["| a |\n| - |\n| b |", ["div", "table", "thead", "tr", "th", "tbody", "tr", "td"]],
  ])("%j becomes elements of ours", (source, expected) => {
    expect(tags(source)).toEqual(expected);
  });

  it("never becomes markup of its author's", () => {
    const source = '<img src=x onerror="alert(1)"> <b>bold</b>\n\n<script>alert(1)</script>';

    expect(tags(source)).toEqual(["p"]);
    expect(words(renderMarkdown(source, CONTEXT))).toContain("<script>alert(1)</script>");
  });

  it.each([
    ["[a](javascript:alert(1))", undefined],
    ["[a](data:text/html,x)", undefined],
    ["[a](//example.com)", undefined],
    ["[a](https://example.com)", "https://example.com"],
    ["[a](mailto:a@example.com)", "mailto:a@example.com"],
    ["https://example.com/x", "https://example.com/x"],
    ["[a][1]\n\n[1]: javascript:alert(1)", undefined],
  ])("%j links to %s", (source, href) => {
    const link = elements(renderMarkdown(source, CONTEXT)).find((element) => element.type === "a");

    expect(link?.props.href).toBe(href);
    if (href !== undefined) expect(link?.props.rel).toContain("noreferrer");
  });

  it("has pictures as links, so that reading tells nobody", () => {
    expect(tags("![a](https://example.com/a.png)")).toEqual(["p", "a"]);
  });

  it("shows which names count: not in code, quotes, links or after an escape", () => {
    const mentions = (source: string): number =>
      elements(renderMarkdown(source, CONTEXT)).filter((element) => String(element.props.class).startsWith("mention"))
        .length;

    expect(mentions("@alpha and **@Alpha**")).toBe(2);
    expect(mentions("`@alpha`\n\n> @alpha\n\n\\@alpha\n\n[@alpha](https://example.com)\n\n```\n@alpha\n```")).toBe(0);
  });

  it("marks done and open tasks", () => {
    const marks = elements(renderMarkdown("- [x] a\n- [ ] b", CONTEXT)).map((element) => element.props["aria-label"]);

    expect(marks.filter(Boolean)).toEqual(["done", "open"]);
  });

  it("writes direction controls out, also in code", () => {
    expect(words(renderMarkdown("a\u202Eb `c\u2066`", CONTEXT))).toBe("a\\u202Eb c\\u2066");
  });

  it("never throws, and never makes an element that is not ours", () => {
    const ours = /^(p|strong|em|del|code|h[345]|ol|ul|li|blockquote|br|hr|a|span|div|sup|table|thead|tbody|tr|th|td)$/;
    const piece = fc.constantFrom(
      "*",
      "_",
      "`",
      "~~",
      "[",
      "](",
      ")",
      "<",
      ">",
      "!",
      "#",
      "|",
      "-",
      "\n",
      "1. ",
      "@alpha",
      "&#x202e;",
      "<b>",
      "x",
    );

    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const type of tags(pieces.join(""))) {
          if (typeof type === "string") expect(type).toMatch(ours);
        }
      }),
    );
  });
});

describe("hostile texts", () => {
  it.each([
    ["quotes", ">".repeat(20_000)],
    ["lists", "- ".repeat(10_000)],
    ["emphasis", "*".repeat(20_000)],
    ["brackets", "[".repeat(20_000)],
  ])("of nested %s are shown as they stand", (_, source) => {
    expect(parseMarkdown(source).kind).toBe("plain");
  });

  it("that are long are shown as they stand", () => {
    expect(parseMarkdown("word ".repeat(10_000)).kind).toBe("plain");
    expect(parseMarkdown("word ".repeat(1_000)).kind).toBe("tree");
  });

  it("do not get their addresses through", () => {
    expect(safeAddress(" javascript:alert(1)")).toBeUndefined();
    expect(safeAddress("HTTPS://example.com")).toBe("HTTPS://example.com");
  });
});
