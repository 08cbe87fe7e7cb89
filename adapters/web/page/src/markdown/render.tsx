import type { ComponentChildren, VNode } from "preact";
import { type Mentionable, splitMentions } from "../text/mentions.js";
import { CodeBlock } from "./code-block.js";
import { type Block, parseMarkdown, type Root, safeAddress } from "./parse.js";

type Node = Block;
type Parent = Extract<Node, { children: unknown }>;
type Of<T extends Node["type"]> = Extract<Node, { type: T }>;

/** What rendering needs besides the tree. */
export interface MarkdownContext {
  readonly roster: readonly Mentionable[];
  /** The colour class of a mentioned persona. */
  readonly toneOf: (persona: string) => string;
}

interface Rendering extends MarkdownContext {
  readonly source: string;
  readonly definitions: ReadonlyMap<string, string>;
  /** Inside a quote mentions count for nothing, and are not shown as if they did. */
  readonly quoted: boolean;
  readonly depth: number;
}

/** Deeper trees end as their source text. */
const DEEPEST = 24;

function sourceOf(node: Node, at: Rendering): string {
  const { start, end } = node.position ?? {};
  return start?.offset === undefined || end?.offset === undefined ? "" : at.source.slice(start.offset, end.offset);
}

function children(node: Parent, at: Rendering): ComponentChildren {
  const deeper = { ...at, depth: at.depth + 1 };
  // Cast: what stands inside any parent is one of the same nodes; the library types each parent's list apart.
  return (node.children as readonly Node[]).map((child) => renderNode(child, deeper));
}

function text(node: Of<"text">, at: Rendering): ComponentChildren {
  // An escaped `\@name` reads the same in the tree; only its source tells that it is no mention.
  if (at.quoted || !node.value.includes("@") || sourceOf(node, at).includes("\\@")) return node.value;
  return splitMentions(node.value, at.roster).map((piece) =>
    piece.persona === undefined ? piece.text : <span class={`mention ${at.toneOf(piece.persona)}`}>{piece.text}</span>,
  );
}

function link(url: string, content: ComponentChildren, title?: string | null): ComponentChildren {
  const href = safeAddress(url);
  if (href === undefined) return <span title={`Not a link: ${url}`}>{content}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" title={title ?? href}>
      {content}
    </a>
  );
}

/** Pictures are not loaded from a message: it would tell a stranger who reads it when. They are links instead. */
function image(url: string, alt: string | null | undefined): ComponentChildren {
  return link(url, `🖼 ${alt || url}`);
}

/** Headings inside a message are smaller than the page's own and start below them. */
function heading(node: Of<"heading">, at: Rendering): VNode {
  const content = children(node, at);
  if (node.depth === 1) return <h3>{content}</h3>;
  return node.depth === 2 ? <h4>{content}</h4> : <h5>{content}</h5>;
}

function list(node: Of<"list">, at: Rendering): VNode {
  const content = children(node, at);
  if (!node.ordered) return <ul>{content}</ul>;
  return <ol start={node.start ?? 1}>{content}</ol>;
}

function listItem(node: Of<"listItem">, at: Rendering): VNode {
  const only = node.children.length === 1 ? node.children[0] : undefined;
  const content = only?.type === "paragraph" ? children(only, at) : children(node, at);
  if (typeof node.checked !== "boolean") return <li>{content}</li>;
  return (
    <li class="task">
      <span class="task-mark" role="img" aria-label={node.checked ? "done" : "open"}>
        {node.checked ? "☑" : "☐"}
      </span>
      <div>{content}</div>
    </li>
  );
}

function table(node: Of<"table">, at: Rendering): VNode {
  const [head, ...rows] = node.children;
  const align = (column: number): string => `align-${node.align?.[column] ?? "left"}`;
  return (
    // Focusable, so that a wide table can be scrolled with the keyboard.
    <div class="table-scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, column) => (
              <th scope="col" class={align(column)}>
                {children(cell, at)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.children.map((cell, column) => (
                <td class={align(column)}>{children(cell, at)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function renderNode(node: Node, at: Rendering): ComponentChildren {
  if (at.depth > DEEPEST) return sourceOf(node, at);
  switch (node.type) {
    case "text":
      return text(node, at);
    case "paragraph":
      return <p>{children(node, at)}</p>;
    case "strong":
      return <strong>{children(node, at)}</strong>;
    case "emphasis":
      return <em>{children(node, at)}</em>;
    case "delete":
      return <del>{children(node, at)}</del>;
    case "inlineCode":
      return <code>{node.value}</code>;
    case "code":
      return <CodeBlock code={node.value} language={node.lang ?? undefined} />;
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr />;
    case "blockquote":
      return <blockquote>{children(node, { ...at, quoted: true })}</blockquote>;
    case "heading":
      return heading(node, at);
    case "list":
      return list(node, at);
    case "listItem":
      return listItem(node, at);
    case "table":
      return table(node, at);
    case "link":
      return link(node.url, children(node, { ...at, quoted: true }), node.title);
    case "linkReference":
      return link(at.definitions.get(node.identifier) ?? "", children(node, at));
    case "image":
      return image(node.url, node.alt);
    case "imageReference":
      return image(at.definitions.get(node.identifier) ?? "", node.alt);
    case "footnoteReference":
      return <sup>[{node.label ?? node.identifier}]</sup>;
    case "footnoteDefinition":
      return (
        <div class="footnote">
          [{node.label ?? node.identifier}] {children(node, at)}
        </div>
      );
    case "html":
      // Never markup: what a model writes is shown, not run.
      return node.value;
    case "definition":
      return null;
    default:
      return sourceOf(node, at);
  }
}

function definitionsOf(root: Root): ReadonlyMap<string, string> {
  return new Map(
    root.children.flatMap((node) => (node.type === "definition" ? [[node.identifier, node.url] as const] : [])),
  );
}

/** A text's Markdown as elements of our own making: no HTML of the text's author is ever interpreted. */
export function renderMarkdown(source: string, context: MarkdownContext): ComponentChildren {
  const parsed = parseMarkdown(source);
  if (parsed.kind === "plain") return <p class="plain">{parsed.source}</p>;
  const at: Rendering = {
    ...context,
    source: parsed.source,
    definitions: definitionsOf(parsed.root),
    quoted: false,
    depth: 0,
  };
  return parsed.root.children.map((node) => renderNode(node, at));
}
