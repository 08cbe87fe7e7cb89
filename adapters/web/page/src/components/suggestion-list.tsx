import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useRoom } from "../cast.js";
import type { Suggestion } from "../text/complete.js";
import { Avatar } from "./avatar.js";

export interface SuggestionListProps {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly selected: number;
  onPick(index: number): void;
}

export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/** What the message box offers. The keyboard stays in the box; this list only shows where it is. */
export function SuggestionList({ id, suggestions, selected, onPick }: SuggestionListProps): VNode {
  const { cast } = useRoom();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (
    <div class="suggestions" role="listbox" id={id} aria-label="Suggestions" ref={list}>
      {suggestions.map((suggestion, index) => (
        <div
          key={suggestion.label}
          id={optionId(id, index)}
          class="option"
          role="option"
          tabIndex={-1}
          aria-selected={index === selected}
          // Down, not click: the message box must not lose the focus on the way.
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(index);
          }}
        >
          {suggestion.persona !== undefined && (
            <Avatar
              small
              name={suggestion.persona.displayName}
              avatar={suggestion.persona.avatar}
              tone={cast.toneOf(suggestion.persona.name)}
            />
          )}
          <span class="option-label">{suggestion.label}</span>
          {suggestion.persona !== undefined && <span class="handle">@{suggestion.persona.name}</span>}
          <span class="option-detail">{suggestion.detail}</span>
        </div>
      ))}
    </div>
  );
}
