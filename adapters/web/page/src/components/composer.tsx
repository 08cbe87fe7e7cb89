import type { VNode } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type ComposerHandle, useRoom } from "../cast.js";
import { loadDraft, saveDraft } from "../state/preferences.js";
import { isWebRoom, roomLabel } from "../text/room-names.js";
import { Icon } from "./icons.js";
import { optionId, SuggestionList } from "./suggestion-list.js";
import { useCompletion } from "./use-completion.js";

/** The service takes no more. */
const LONGEST_TEXT = 100_000;
const TALLEST_PX = 220;

function grow(area: HTMLTextAreaElement): void {
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight, TALLEST_PX)}px`;
}

/** The message box of one room. Keyed by the room: a draft stays with the room that it was written for. */
export function Composer({ room }: { readonly room: string }): VNode {
  const { cast, controller, composer } = useRoom();
  const area = useRef<HTMLTextAreaElement>(null);
  const caretWanted = useRef<number | undefined>(undefined);
  const [text, setText] = useState(() => loadDraft(room));
  const listId = useId();
  const completing = useCompletion({ text, people: cast, onAccept: write });
  const { completion, selected } = completing;
  const isTooLong = text.length > LONGEST_TEXT;

  function write(next: string, caret = next.length): void {
    setText(next);
    saveDraft(room, next);
    caretWanted.current = caret;
  }

  const handle: ComposerHandle = {
    fill(next) {
      write(next);
      completing.moved(next.length);
      area.current?.focus();
    },
    append: (word) => handle.fill(text === "" || /\s$/.test(text) ? text + word : `${text} ${word}`),
  };
  composer.current = handle;

  function send(): void {
    const message = text.trim();
    if (message === "" || isTooLong) return;
    write("");
    completing.moved(0);
    void controller.send(message);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const isSend = event.key === "Enter" && !event.shiftKey && !event.isComposing;
    if (completing.onKey(event)) event.preventDefault();
    else if (isSend) {
      event.preventDefault();
      send();
    }
  }

  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    grow(element);
    if (caretWanted.current !== undefined) element.setSelectionRange(caretWanted.current, caretWanted.current);
    caretWanted.current = undefined;
  }, [text]);

  useEffect(() => {
    // On a touch screen the focus would open the keyboard over the conversation.
    if (matchMedia("(hover: hover)").matches) area.current?.focus();
  }, []);

  if (!isWebRoom(room))
    return <p class="composer-closed">This room lives on another platform. You can read it here and write there.</p>;
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {completion !== undefined && (
        <SuggestionList id={listId} suggestions={completion.suggestions} selected={selected} onPick={completing.pick} />
      )}
      <div class="composer-box">
        {/* A text area that lists suggestions stays a text box to assistive technology: a combobox has no lines. */}
        <textarea
          id="message-box"
          ref={area}
          rows={1}
          value={text}
          placeholder={`Message ${roomLabel(room)}`}
          aria-label={`Message ${roomLabel(room)}`}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={completion === undefined ? undefined : listId}
          aria-activedescendant={completion === undefined ? undefined : optionId(listId, selected)}
          aria-describedby="composer-help"
          dir="auto"
          onInput={(event) => {
            const { value, selectionStart } = event.currentTarget;
            setText(value);
            saveDraft(room, value);
            completing.moved(selectionStart);
          }}
          onSelect={(event) => completing.moved(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
        />
        <button type="submit" class="send" aria-label="Send" aria-disabled={text.trim() === "" || isTooLong}>
          <Icon name="send" />
        </button>
      </div>
      <p class="composer-help" id="composer-help">
        {isTooLong ? (
          <span class="send-problem">
            This message is too long by {(text.length - LONGEST_TEXT).toLocaleString()} characters.
          </span>
        ) : (
          <>
            <kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> starts a line, <kbd>@</kbd> mentions,{" "}
            <kbd>/agent</kbd> commands
          </>
        )}
      </p>
      <p class="hidden" role="status">
        {completion === undefined
          ? ""
          : `${completion.suggestions.length} suggestions. Use the arrow keys, Enter takes one.`}
      </p>
    </form>
  );
}
