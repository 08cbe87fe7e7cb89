import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";

const SHOWN_MS = 2_000;

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A block of code with a button that copies it. Where the clipboard is closed to us, the code is selected instead. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language: string | undefined }): VNode {
  const block = useRef<HTMLPreElement>(null);
  const [said, setSaid] = useState("Copy");

  async function press(): Promise<void> {
    const done = await copy(code);
    if (!done && block.current !== null) getSelection()?.selectAllChildren(block.current);
    setSaid(done ? "Copied" : "Selected");
    setTimeout(() => setSaid("Copy"), SHOWN_MS);
  }

  return (
    <figure class="code">
      <figcaption class="code-bar">
        <span>{language ?? "code"}</span>
        <button
          type="button"
          class="quiet small"
          onClick={() => void press()}
          aria-label={said === "Copy" ? "Copy code" : said}
        >
          {said}
        </button>
      </figcaption>
      <pre ref={block} tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
