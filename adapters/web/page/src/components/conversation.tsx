import type { ComponentChildren, VNode } from "preact";
import { useMemo } from "preact/hooks";
import { useRoom } from "../cast.js";
import { hasOlder, newestSeq, type OpenRoom } from "../state/model.js";
import { type Item, timeline } from "../state/timeline.js";
import { roomLabel } from "../text/room-names.js";
import type { NoticeView } from "../wire.js";
import { useFollowing } from "./following.js";
import { Icon } from "./icons.js";
import { ActivityLine, CardLine, DayLine, DirectiveLine, NoticeLine, PendingLine, TypingLine } from "./lines.js";
import { Message } from "./message.js";
import { Welcome } from "./welcome.js";

function drawItem(item: Item, notices: ReadonlyMap<string, NoticeView>): VNode {
  switch (item.kind) {
    case "day":
      return <DayLine key={item.key} at={item.at} />;
    case "message":
      return <Message key={item.key} entry={item.entry} at={item.at} continues={item.continues} />;
    case "notice":
      return (
        <NoticeLine key={item.key} entry={item.entry} at={item.at} notice={notices.get(item.entry.notice ?? "")} />
      );
    case "directive":
      return <DirectiveLine key={item.key} entry={item.entry} at={item.at} />;
    case "activity":
      return <ActivityLine key={item.key} entries={item.entries} />;
    case "card":
      return <CardLine key={item.key} card={item.card} />;
  }
}

function Beginning({ room }: { readonly room: OpenRoom }): ComponentChildren {
  const { controller } = useRoom();
  if (!hasOlder(room)) return null;
  return (
    <div class="older">
      <button type="button" class="quiet" aria-disabled={room.loadingOlder} onClick={() => void controller.loadOlder()}>
        {room.loadingOlder ? "Loading…" : "Load older messages"}
      </button>
    </div>
  );
}

const NO_NOTICES: readonly NoticeView[] = [];

/** The room's conversation: the log with what is on its way, kept at its end while the reader is there. */
export function Conversation({
  room,
  showActivity,
}: {
  readonly room: OpenRoom;
  readonly showActivity: boolean;
}): VNode {
  const { controller, cast } = useRoom();
  const { entries, cards } = room;
  const notices = room.state?.notices ?? NO_NOTICES;
  const items = useMemo(() => timeline({ entries, cards }, showActivity), [entries, cards, showActivity]);
  const rows = useMemo(() => {
    const byId = new Map(notices.map((notice) => [notice.id, notice]));
    return items.map((item) => drawItem(item, byId));
    // The cast is no input here, but rows drawn for another cast must be drawn again.
  }, [items, notices, cast]);
  const { box, isFollowing, leftAt, onScroll, jump } = useFollowing({
    first: entries[0]?.seq ?? 0,
    newest: newestSeq(room),
    version: [rows, room.pending, room.typing],
    onChange: controller.setFollowing,
  });
  const unseen = isFollowing ? 0 : entries.filter((entry) => entry.kind === "message" && entry.seq > leftAt).length;
  const isEmpty = room.state !== undefined && items.length === 0 && room.pending.length === 0;
  return (
    <div class="conversation">
      <div
        class="log"
        ref={box}
        onScroll={onScroll}
        role="log"
        aria-live="polite"
        aria-label={`Messages in ${roomLabel(room.id)}`}
        aria-busy={room.state === undefined || room.loadingOlder}
        tabIndex={0}
      >
        <div class="log-inner">
          <Beginning room={room} />
          {isEmpty ? <Welcome label={roomLabel(room.id)} /> : rows}
          {room.pending.map((pending) => (
            <PendingLine key={pending.id} pending={pending} />
          ))}
        </div>
      </div>
      <TypingLine typing={room.typing} />
      {!isFollowing && (
        <button type="button" class="jump" onClick={jump}>
          <Icon name="down" />
          {unseen > 0 ? `${unseen} new` : "Jump to latest"}
        </button>
      )}
    </div>
  );
}
