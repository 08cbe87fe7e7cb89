import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { forEachLiveAt } from "../../src/domain/inert.js";
import { unitsOf } from "../../src/domain/scan.js";

/** The words behind each live `@`. */
function live(text: string): readonly string[] {
  const words: string[] = [];
  forEachLiveAt(unitsOf(text), (at) => {
    const [word] = /^\w*/.exec(text.slice(at + 1)) ?? [""];
    words.push(word);
    return at + 1 + word.length;
  });
  return words;
}

function lines(...parts: readonly string[]): string {
  return parts.join("\n");
}

describe("fenced code", () => {
  it("is inert up to its closing fence", () => {
    expect(live(lines("@a", "```", "@x", "```", "@b"))).toEqual(["a", "b"]);
    expect(live(lines("~~~js @x", "@x", "~~~", "@b"))).toEqual(["b"]);
    expect(live(lines("```js", "@x", "  ```  ", "@b"))).toEqual(["b"]);
    expect(live("```\r\n@x\r\n```\r\n@b")).toEqual(["b"]);
  });

  it("is inert to the end of the text when nothing closes it", () => {
    expect(live(lines("@a", "```", "@x", "", "# @x", "@x"))).toEqual(["a"]);
    expect(live("```")).toEqual([]);
    expect(live("```\n@x")).toEqual([]);
  });

  it("is closed only by a fence of its kind, as long at least, with nothing behind it and not indented as code", () => {
    for (const fence of ["~~~", "```", "```` js", "    ````", "> ````"]) {
      expect(live(lines("````", "@x", fence, "@x"))).toEqual([]);
    }
    expect(live(lines("````", "@x", "`````", "@b"))).toEqual(["b"]);
  });

  it("may stand in a list item, which has to close it", () => {
    expect(live(lines("- ```", "  @x", "  ```", "  @b"))).toEqual(["b"]);
    expect(live(lines("1. words", "   ```", "   @x", "", "   ```", "2. @b"))).toEqual(["b"]);
    expect(live(lines("- ```", "  @x", "out of it @x", "  ```", "@x"))).toEqual([]);
    expect(live(lines("- words", "```", "@x", "```", "@b"))).toEqual(["b"]);
  });

  it("in a quote ends with the quote", () => {
    expect(live(lines("> ```", "> @x", "@b"))).toEqual(["b"]);
  });

  it("needs three marks, and no backtick behind them", () => {
    expect(live(lines("``", "@b"))).toEqual(["b"]);
    expect(live(lines("``` `", "@b"))).toEqual(["b"]);
    expect(live("```@x``` @b")).toEqual(["b"]);
  });
});

describe("indented code", () => {
  it("is inert at the beginning, behind a blank line and behind a heading", () => {
    expect(live("    @x")).toEqual([]);
    expect(live(lines("@a", "", "    @x", "", "\t@x", "@b"))).toEqual(["a", "b"]);
    expect(live(lines("# @a", "    @x"))).toEqual(["a"]);
    expect(live(lines("-     @x", "", "      @x"))).toEqual([]);
  });

  it("does not begin inside a paragraph", () => {
    expect(live(lines("words", "    @b"))).toEqual(["b"]);
  });

  it("is measured from the content of the list item around it", () => {
    expect(live(lines("1. words", "", "    @b", "", "       @x"))).toEqual(["b"]);
    expect(live(lines("- a", "  - b", "", "      @b"))).toEqual(["b"]);
    expect(live(lines("-", "", "     @x"))).toEqual([]);
    expect(live(lines("-", "  @b"))).toEqual(["b"]);
  });
});

describe("inline code", () => {
  it("is inert between two runs of as many backticks", () => {
    expect(live("`@x` @b")).toEqual(["b"]);
    expect(live("``@x ` @x`` @b")).toEqual(["b"]);
    expect(live("`@x\n@x` @b")).toEqual(["b"]);
    expect(live("` `` @x `")).toEqual([]);
    expect(live("`@x\\` @b")).toEqual(["b"]);
  });

  it("is none without a closing run", () => {
    expect(live("`@b")).toEqual(["b"]);
    expect(live("``@b`")).toEqual(["b"]);
    expect(live("\\`@b`")).toEqual(["b"]);
    expect(live("`a ``b ```c @b")).toEqual(["b"]);
    expect(live("`a ``@x `@b` ``")).toEqual(["b"]);
  });

  it("does not reach into another block", () => {
    const breaks = [
      "\n\n",
      "\n> ",
      "\n# ",
      "\n- ",
      "\n* ",
      "\n1. ",
      "\n2) x\n1) ",
      "\n---\n",
      "\n***\n",
      "\n===\n",
      "\n```\n```\n",
      "\n<!-- -->\n",
    ];
    for (const between of breaks) expect(live(`\`a${between}@b\``), between).toEqual(between === "\n> " ? [] : ["b"]);
  });

  it("reaches over what looks like a block but cannot begin inside a paragraph", () => {
    for (const between of ["\n2. ", "\n-\t\n", "\n    - ", "\n#", "\n#######", "\n-x", "\n1234567890. ", "\n=a"]) {
      const isItem = between === "\n-\t\n";
      expect(live(`\`a${between}@x\``), between).toEqual(isItem ? ["x"] : []);
    }
  });

  it("ends an item of a list with the item", () => {
    expect(live(lines("1. `a", "2. @b`"))).toEqual(["b"]);
    expect(live(lines("- a", "  - `b", "- @b`"))).toEqual(["b"]);
    expect(live(lines("- `a", "@x`"))).toEqual([]);
    expect(live(lines("- `a", "===", "@x`"))).toEqual([]);
  });
});

describe("quotes", () => {
  it("are inert, line by line", () => {
    expect(live(lines("> @x", "@b"))).toEqual(["b"]);
    expect(live(lines("   >@x", "&gt; @x", ">> @x", "@b"))).toEqual(["b"]);
    expect(live(lines("@a", "> @x"))).toEqual(["a"]);
    expect(live(lines("- > @x", "  > @x", "  @b"))).toEqual(["b"]);
  });

  it("are none further in the line, or when something else is escaped", () => {
    expect(live("a > @b")).toEqual(["b"]);
    expect(live("&lt; @b")).toEqual(["b"]);
  });
});

describe("links and URLs", () => {
  it("are inert where they lead, live where they are text", () => {
    expect(live("[@b](https://x.y/ @x)")).toEqual(["b", "x"]);
    expect(live("[@b](url@x) @c")).toEqual(["b", "c"]);
    expect(live("[@b](@x) @c")).toEqual(["b", "c"]);
    expect(live("[@b](<a @x> 'a @x') @c")).toEqual(["b", "c"]);
    expect(live('[@b](\n/a\n"@x \\" @x"\n) @c')).toEqual(["b", "c"]);
    expect(live("[@b](/a_(@x) (@x)) @c")).toEqual(["b", "c"]);
    expect(live("![@b](a\\)@x)")).toEqual(["b"]);
    expect(live("[@b](<a\\> @x>)")).toEqual(["b"]);
    expect(live("[@b](<1 @x>) [@c](<1@x\\>>)")).toEqual(["b", "c"]);
  });

  it("are no links with anything that a link cannot hold", () => {
    for (const text of [
      "x](@b)",
      "[x] (@b)",
      "[x](@b",
      "[x](a @b)",
      "[x](<@b)",
      "[x](<@b<)",
      "[x](<@b\n>)",
      "[x](a 'b @b)",
      "[x](a (@b()",
      "[x](((((@b)))))",
    ]) {
      expect(live(text), text).toEqual(["b"]);
    }
  });

  it("lets a URL go on to white space, an angle or foreign punctuation", () => {
    expect(live("https://x.y/?a=@x,(@x)[@x] @b")).toEqual(["b"]);
    expect(live("HTTP://x.y/é/𝒜?@x，@b")).toEqual(["b"]);
    expect(live("a+b://@x<@b")).toEqual(["b"]);
    expect(live("www.x.y?@x @b WWW.x?@x")).toEqual(["b"]);
    expect(live("[https://x.y/a](@x) [https://x.y] @b")).toEqual(["b"]);
    expect(live("https://x.y/`@x` @b")).toEqual(["b"]);
    expect(live("https://x.y/`@x @b")).toEqual(["b"]);
    expect(live("<https://x.y/?a @x> @b")).toEqual(["b"]);
  });

  it("needs a scheme or a host to be a URL", () => {
    for (const text of ["://@b", "a:@b", "a:/ @b", "awww.@b", "ww.@b"]) expect(live(text), text).toEqual(["b"]);
  });
});

describe("HTML", () => {
  it("is inert in tags, with their attributes", () => {
    expect(live("<a href=\"@x\" title='> @x'>@b</a @x>")).toEqual(["b"]);
    expect(live("<br/>@b<p\n@x>")).toEqual(["b"]);
  });

  it("is none without an end, or when it does not begin like a tag", () => {
    for (const text of [
      "a < @b >",
      "<3 @b >",
      "<a @b",
      "<a <@b",
      "<a b='@b",
      "<!@b>",
      "a <!-- @b",
      "a <? @b",
      "a <![CDATA[ @b",
    ]) {
      expect(live(text), text).toEqual(["b"]);
    }
  });

  it("is inert in comments, instructions and data, also over blank lines when they begin a line", () => {
    expect(live("a <!-- @x --> @b <? @x ?> @c <![CDATA[ @x ]]> @d")).toEqual(["b", "c", "d"]);
    expect(live(lines("<!-- @x", "", "@x --> @b", "@c"))).toEqual(["b", "c"]);
    expect(live(lines("<? @x", "", "?>", "@b"))).toEqual(["b"]);
    expect(live(lines("@a", "<!-- @x", "", "@x"))).toEqual(["a"]);
    expect(live(lines("a <!-- @b", "", "@c --> @d"))).toEqual(["b", "c", "d"]);
  });

  it("is inert in elements that hold code or a quote", () => {
    expect(live("<code>@x</code> @b <KBD>@x</KBD> @c <codes>@d</codes>")).toEqual(["b", "c", "d"]);
    expect(live("a <blockquote>@x</blockquote> @b")).toEqual(["b"]);
    expect(live(lines("<pre>", "@x", "", "@x", "</pre> @b"))).toEqual(["b"]);
    expect(live(lines("<script>", "", "@x"))).toEqual([]);
    expect(live(lines("<prefix>", "", "@b"))).toEqual(["b"]);
  });

  it("is inert only in the tag when such an element has no end there", () => {
    expect(live(lines("use <code> @b", "", "</code>"))).toEqual(["b"]);
  });
});

describe("escapes", () => {
  it("make the next character plain", () => {
    expect(live("\\@x \\`@b\\` \\<a @c> \\[x](@d)")).toEqual(["b", "c", "d"]);
    expect(live("a\\")).toEqual([]);
  });
});

describe("the scan", () => {
  it("goes on where the visitor has stopped", () => {
    const seen: number[] = [];

    forEachLiveAt(unitsOf("@@@@"), (at) => {
      seen.push(at);
      return at + 2;
    });

    expect(seen).toEqual([0, 2]);
  });

  it("survives list items deeper than anybody writes", () => {
    expect(live(`${"- ".repeat(40)}@b\n\n- @c\n`)).toEqual(["b", "c"]);
  });
});

describe("never wakes from", () => {
  /** Text around the construct that cannot change what it means. */
  const words = fc.stringMatching(/^[a-z ,.!?äß字]{0,30}$/);
  const name = fc.constantFrom("@beta", "@beta, please", "(@beta)", "**@beta**", "@beta/@gamma", "@Beta @gamma");
  const tail = fc.stringMatching(/^[a-zA-Z0-9?&=,;:()!*'_~%+-]{0,12}$/);

  const inert: Readonly<Record<string, fc.Arbitrary<string>>> = {
    "fenced code": fc
      .tuple(words, name, fc.constantFrom("```", "~~~", "`````"), fc.constantFrom("", "js", " text"))
      .map(
        ([text, mention, fence, info]) =>
          `${text}\n${fence}${info}\n${text} ${mention}\n\n${mention}\n${fence}\n${text}`,
      ),
    "unterminated fenced code": fc
      .tuple(words, name)
      .map(([text, mention]) => `${text}\n\`\`\`\n${mention}\n\n${text} ${mention}`),
    "indented code": fc.tuple(words, name).map(([text, mention]) => `${text}\n\n    ${text} ${mention}\n`),
    "inline code": fc
      .tuple(words, name, fc.constantFrom("`", "``", "```"))
      .map(([text, mention, ticks]) => `a${text} ${ticks} ${mention} ${ticks} ${text}`),
    quotes: fc
      .tuple(words, name, fc.constantFrom("> ", ">", "   > ", "&gt; ", "- > "))
      .map(([text, mention, mark]) => `${text}\n${mark}${text} ${mention}\n\n${text}`),
    URLs: fc
      .tuple(words, fc.webUrl({ withQueryParameters: true, withFragments: true }), tail)
      .map(([text, url, rest]) => `${text} ${url}/@beta${rest} ${text}`),
    "URLs with a query": fc
      .tuple(words, fc.webUrl(), tail)
      .map(([text, url, rest]) => `${text} ${url}?${rest}@beta ${text}`),
    "link destinations": fc.tuple(words, name).map(([text, mention]) => `[${text}](<${mention}>) ${text}`),
    "HTML comments": fc.tuple(words, name).map(([text, mention]) => `a${text}<!-- ${mention} -->${text}`),
    "HTML attributes": fc.tuple(words, name).map(([text, mention]) => `a${text}<a title="${mention}">${text}</a>`),
    escapes: words.map((text) => `a${text}\\@beta ${text}`),
  };

  for (const [kind, texts] of Object.entries(inert)) {
    it(kind, () => {
      fc.assert(
        fc.property(texts, (text) => {
          expect(live(text)).toEqual([]);
        }),
      );
    });
  }
});

describe("compared with a whole Markdown parser", () => {
  const fragment = fc.constantFrom(
    "@beta",
    " @beta ",
    "(@beta)",
    "`",
    "``",
    "```",
    "~~~",
    "\n",
    "\n\n",
    "\n    ",
    "\n  ",
    "\n- ",
    "\n1. ",
    "\n2. ",
    "- ",
    "    ",
    "> ",
    "\n> ",
    "word ",
    "a",
    "\\",
    "[",
    "]",
    "](",
    "(",
    ")",
    "*",
    "_",
    "# ",
    "\n# ",
    "\n---\n",
    "\n===\n",
    "\t",
    " ",
    "\n```\n",
    "\n```js\n",
    "\n~~~\n",
    "\n  ```\n",
    "\n   ```\n",
    "[t](u ",
    "\n* ",
    "`` ` ``",
    "=",
    "-",
    "1.",
  );
  const document = fc.array(fragment, { minLength: 2, maxLength: 20 }).map((parts) => parts.join(""));

  it("nothing is live that it calls code", () => {
    fc.assert(
      fc.property(document, (text) => {
        const code = codeIn(text);
        forEachLiveAt(unitsOf(text), (at) => {
          expect(code.some(([start, end]) => at >= start && at < end)).toBe(false);
          return at + 1;
        });
      }),
      { numRuns: 400 },
    );
  });

  type Tree = ReturnType<typeof fromMarkdown>;
  type Node = Tree | Tree["children"][number];

  /** Where code stands, outside of quotes: a line that a quote only takes in by its laziness is none for us. */
  function codeIn(text: string): readonly (readonly [number, number])[] {
    return placesOf(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
  }

  function placesOf(node: Node): readonly (readonly [number, number])[] {
    if (node.type === "code" || node.type === "inlineCode") {
      return [[node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]];
    }
    return "children" in node && node.type !== "blockquote" ? node.children.flatMap(placesOf) : [];
  }
});
