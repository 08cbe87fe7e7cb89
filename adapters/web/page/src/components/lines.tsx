import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { useRoom } from "../cast.js";
import { renderMarkdown } from "../markdown/render.js";
import type { Card, Pending } from "../state/model.js";
import { showBidi } from "../text/bidi.js";
import { clockTime, dayLabel } from "../text/times.js";
import type { NoticeView, View, WireEntry } from "../wire.js";
import { Avatar } from "./avatar.js";
import { Icon } from "./icons.js";
import { Time } from "./message.js";
import { ViewCard } from "./view-card.js";

export function DayLine({ at }: { readonly at: number }): VNode {
  return (
    <h2 class="day">
      <span>{dayLabel(at, Date.now())}</span>
    </h2>
  );
}

/** A line of the system's without a record of its own, as when a command has changed the room. */
function SystemLine({ entry, at }: { readonly entry: WireEntry; readonly at: number }): VNode {
  const { cast } = useRoom();
  const body = useMemo(() => renderMarkdown(entry.text, cast), [entry.text, cast]);
  return (
    <article class="aside-line" aria-label={`Troupe, ${clockTime(at)}`}>
      <div class="markdown">{body}</div>
      <Time at={at} />
    </article>
  );
}

/** What the system says: a notice as it stands now, or the entry's own words where it has no record. */
export function NoticeLine({
  entry,
  at,
  notice,
}: {
  readonly entry: WireEntry;
  readonly at: number;
  readonly notice: NoticeView | undefined;
}): VNode {
  if (notice === undefined && entry.kind !== "error") return <SystemLine entry={entry} at={at} />;
  const words: View = { text: entry.text, tone: "error" };
  return (
    <article class="line" aria-label={`Troupe, ${clockTime(at)}`}>
      <ViewCard view={notice?.view ?? words} head={<Time at={at} />} />
    </article>
  );
}

const PRESSED: Readonly<Record<string, string>> = { continue: "Continue", retry: "Retry" };

export function DirectiveLine({ entry, at }: { readonly entry: WireEntry; readonly at: number }): VNode {
  const label = PRESSED[entry.action ?? ""] ?? entry.action ?? "a button";
  return (
    <p class="aside-line">
      {entry.sender.name} pressed {label} <Time at={at} />
    </p>
  );
}

function inputOf(entry: WireEntry): string {
  return showBidi(entry.kind === "tool_call" ? JSON.stringify(entry.input ?? {}, null, 2) : entry.text);
}

/** What a persona did besides talking, folded to one line. */
export function ActivityLine({ entries }: { readonly entries: readonly WireEntry[] }): VNode {
  const tools = [...new Set(entries.map((entry) => entry.tool ?? "a tool"))].join(", ");
  const hasFailed = entries.some((entry) => entry.ok === false);
  return (
    <details class="activity">
      <summary>
        {entries[0]?.sender.name} used {tools}
        {hasFailed && <span class="badge">failed</span>}
      </summary>
      {entries.map((entry) => (
        <div>
          <p class="activity-kind">
            {entry.kind === "tool_call"
              ? `${entry.tool}: asked`
              : `${entry.tool}: ${entry.ok === false ? "failed" : "got"}`}
          </p>
          <pre tabIndex={0}>{inputOf(entry)}</pre>
        </div>
      ))}
    </details>
  );
}

/** A command's answer or a hint: for this person only, gone with a reload. */
export function CardLine({ card }: { readonly card: Card }): VNode {
  const { controller } = useRoom();
  const head = (
    <div class="card-head">
      <span>
        Only you can see this
        {card.asked !== undefined && (
          <>
            {" "}
            · <code>{card.asked}</code>
          </>
        )}
      </span>
      <button
        type="button"
        class="quiet icon-button small"
        aria-label="Dismiss"
        onClick={() => controller.closeCard(card.id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
  return (
    <article class="line card" aria-label="Only you can see this">
      <ViewCard view={card.view} head={head} />
    </article>
  );
}

/** A message on its way, or one that did not get there. */
export function PendingLine({ pending }: { readonly pending: Pending }): VNode {
  const { controller } = useRoom();
  return (
    <article class="message pending" aria-label="Your message, not in the room yet">
      <Avatar name="You" avatar={undefined} tone="tone-person" />
      <div class="message-body">
        <div class="message-head">
          <span class="sender tone-person">You</span>
          <span class="handle">{pending.problem === undefined && pending.entry === undefined ? "sending…" : ""}</span>
        </div>
        <div class="markdown">
          <p class="plain" dir="auto">
            {showBidi(pending.text)}
          </p>
        </div>
        {pending.problem !== undefined && (
          <p class="send-problem" role="alert">
            Not sent. {pending.problem}{" "}
            <button type="button" class="link" onClick={() => void controller.send(pending.text, pending.id)}>
              Try again
            </button>
          </p>
        )}
      </div>
    </article>
  );
}

/** Who is thinking just now, with a way to stop them. */
export function TypingLine({ typing }: { readonly typing: readonly string[] }): VNode {
  const { cast, controller } = useRoom();
  const names = new Intl.ListFormat("en", { type: "conjunction" }).format(typing.map(cast.nameOf));
  return (
    <div class="typing">
      <p role="status">
        {typing.length > 0 && (
          <>
            <span class="dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            {names} {typing.length === 1 ? "is" : "are"} thinking
          </>
        )}
      </p>
      {typing.length > 0 && (
        <button
          type="button"
          class="quiet small"
          onClick={() => void controller.send(typing.length === 1 ? `/agent stop ${typing[0]}` : "/agent stop")}
        >
          <Icon name="stop" />
          Stop
        </button>
      )}
    </div>
  );
}
