import type { VNode } from "preact";
import { useId, useMemo, useState } from "preact/hooks";
import { type Cast, useRoom } from "../cast.js";
import { renderMarkdown } from "../markdown/render.js";
import { explain, keptFrom } from "../text/outcome-words.js";
import { clockTime, fullTime } from "../text/times.js";
import type { WireEntry } from "../wire.js";
import { Avatar } from "./avatar.js";
import { Icon } from "./icons.js";

export interface MessageProps {
  readonly entry: WireEntry;
  readonly at: number;
  /** Goes on under the head of the message before it. */
  readonly continues: boolean;
}

function toneOf(entry: WireEntry, cast: Cast): string {
  return entry.sender.kind === "agent" ? cast.toneOf(entry.sender.id) : `tone-${entry.sender.kind}`;
}

export function Time({ at }: { readonly at: number }): VNode {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {clockTime(at)}
    </time>
  );
}

function Head({ entry, at, cast }: { readonly entry: WireEntry; readonly at: number; readonly cast: Cast }): VNode {
  const { sender } = entry;
  return (
    <div class="message-head">
      <span class={`sender ${toneOf(entry, cast)}`}>{sender.name}</span>
      {sender.kind === "agent" && <span class="handle">@{sender.id}</span>}
      {sender.kind === "bot" && <span class="badge">bot</span>}
      {entry.to !== undefined && <span class="handle">to {cast.nameOf(entry.to)}</span>}
      <Time at={at} />
    </div>
  );
}

function Why({ entry, cast, id }: { readonly entry: WireEntry; readonly cast: Cast; readonly id: string }): VNode {
  return (
    <div class="why" id={id}>
      {explain(entry, cast.nameOf).map((sentence) => (
        <p>{sentence}</p>
      ))}
      <p class="why-seq">Message {entry.seq}</p>
    </div>
  );
}

/** One message: who, when, the text, and on demand what became of it. */
export function Message({ entry, at, continues }: MessageProps): VNode {
  const { cast } = useRoom();
  const [isAsked, setAsked] = useState(false);
  const whyId = useId();
  const body = useMemo(() => renderMarkdown(entry.text, cast), [entry.text, cast]);
  const kept = keptFrom(entry);
  const member = entry.sender.kind === "agent" ? cast.memberOf(entry.sender.id) : undefined;
  return (
    <article class={continues ? "message continues" : "message"} aria-label={`${entry.sender.name}, ${clockTime(at)}`}>
      {continues ? (
        <Time at={at} />
      ) : (
        <Avatar name={entry.sender.name} avatar={member?.avatar} tone={toneOf(entry, cast)} />
      )}
      <div class="message-body">
        {!continues && <Head entry={entry} at={at} cast={cast} />}
        <div class="markdown" dir="auto">
          {body}
        </div>
        {kept.length > 0 && !isAsked && (
          <button type="button" class="kept-back" onClick={() => setAsked(true)}>
            Did not reach {kept.map(cast.nameOf).join(", ")}. Why?
          </button>
        )}
        {isAsked && <Why entry={entry} cast={cast} id={whyId} />}
      </div>
      <div class="message-tools">
        <button
          type="button"
          class="quiet small"
          aria-expanded={isAsked}
          aria-controls={isAsked ? whyId : undefined}
          onClick={() => setAsked(!isAsked)}
        >
          <Icon name="why" />
          Why<span class="hidden"> did this message of {entry.sender.name} wake whom it did</span>
        </button>
      </div>
    </article>
  );
}
