import { useState } from "preact/hooks";
import { accept, type Completion, complete, type People } from "../text/complete.js";

export interface CompletionState {
  readonly completion: Completion | undefined;
  readonly selected: number;
  /** Handles a key; whether it was one for the list. */
  onKey(event: KeyboardEvent): boolean;
  pick(index: number): void;
  /** The text or the caret has changed: a list that was closed may open again. */
  moved(caret: number): void;
}

export interface CompletionOptions {
  readonly text: string;
  readonly people: People;
  onAccept(text: string, caret: number): void;
}

/** The list of suggestions at the caret, driven by the arrow keys, Enter, Tab and Escape. */
export function useCompletion({ text, people, onAccept }: CompletionOptions): CompletionState {
  const [caret, setCaret] = useState(text.length);
  const [selected, setSelected] = useState(0);
  const [isClosed, setClosed] = useState(false);
  const completion = isClosed ? undefined : complete(text, caret, people);
  const count = completion?.suggestions.length ?? 0;
  const index = Math.min(selected, Math.max(0, count - 1));

  function pick(at: number): void {
    const suggestion = completion?.suggestions[at];
    if (completion === undefined || suggestion === undefined) return;
    const accepted = accept(text, completion, suggestion);
    setSelected(0);
    setCaret(accepted.caret);
    onAccept(accepted.text, accepted.caret);
  }

  /** Enter on what is already written sends it; completing it would only add a blank. */
  function isWritten(): boolean {
    const written = completion === undefined ? "" : text.slice(completion.from, completion.to);
    return completion?.suggestions[index]?.insert.trim().toLowerCase() === written.toLowerCase();
  }

  function onKey(event: KeyboardEvent): boolean {
    if (completion === undefined || event.isComposing || event.shiftKey) return false;
    switch (event.key) {
      case "ArrowDown":
        setSelected((index + 1) % count);
        return true;
      case "ArrowUp":
        setSelected((index + count - 1) % count);
        return true;
      case "Enter":
        if (isWritten()) return false;
        pick(index);
        return true;
      case "Tab":
        pick(index);
        return true;
      case "Escape":
        setClosed(true);
        return true;
      default:
        return false;
    }
  }

  return {
    completion,
    selected: index,
    onKey,
    pick,
    moved(position) {
      if (position === caret) return;
      setCaret(position);
      setSelected(0);
      setClosed(false);
    },
  };
}
