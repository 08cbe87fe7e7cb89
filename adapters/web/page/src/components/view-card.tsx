import type { ComponentChildren, VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useRoom } from "../cast.js";
import { renderMarkdown } from "../markdown/render.js";
import type { Button, View } from "../wire.js";

function ActionButton({ button }: { readonly button: Button }): VNode {
  const { controller } = useRoom();
  const [isBusy, setBusy] = useState(false);
  async function press(): Promise<void> {
    setBusy(true);
    await controller.press(button.action, button.value, button.label);
    setBusy(false);
  }
  return (
    <button
      type="button"
      class={`action ${button.style ?? ""}`}
      aria-disabled={isBusy}
      onClick={() => !isBusy && void press()}
    >
      {button.label}
    </button>
  );
}

export interface ViewCardProps {
  readonly view: View;
  /** What stands above the view: who sees it, when. */
  readonly head?: ComponentChildren;
}

/** A view of the system's as this page draws it: title, text, fields and buttons. */
export function ViewCard({ view, head }: ViewCardProps): VNode {
  const { cast } = useRoom();
  const body = useMemo(() => renderMarkdown(view.text, cast), [view.text, cast]);
  return (
    <div class={`view view-${view.tone ?? "info"}`}>
      {head}
      {view.title !== undefined && <p class="view-title">{view.title}</p>}
      {view.text !== "" && <div class="markdown">{body}</div>}
      {view.fields !== undefined && view.fields.length > 0 && (
        <dl class="fields">
          {view.fields.map((field) => (
            <div>
              <dt>{field.label}</dt>
              <dd class="markdown">{renderMarkdown(field.value, cast)}</dd>
            </div>
          ))}
        </dl>
      )}
      {view.buttons !== undefined && view.buttons.length > 0 && (
        <div class="actions">
          {view.buttons.map((button) => (
            <ActionButton key={`${button.action}:${button.value}`} button={button} />
          ))}
        </div>
      )}
    </div>
  );
}
