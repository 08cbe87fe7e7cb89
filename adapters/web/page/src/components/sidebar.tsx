import type { VNode } from "preact";
import { useState } from "preact/hooks";
import icon from "../icon.svg";
import { roomFragment } from "../net/session-key.js";
import type { PageState } from "../state/model.js";
import { type ListedRoom, listRooms } from "../state/room-list.js";
import { roomLabel, roomNameFrom, webRoom } from "../text/room-names.js";
import { Icon } from "./icons.js";

interface RoomLinkProps {
  readonly room: ListedRoom;
  readonly isOpen: boolean;
  onFollow(): void;
}

function RoomLink({ room, isOpen, onFollow }: RoomLinkProps): VNode {
  return (
    <li>
      <a
        href={roomFragment(room.id)}
        onClick={onFollow}
        class={room.isUnread ? "room unread" : "room"}
        aria-current={isOpen ? "page" : undefined}
      >
        <span class="room-hash" aria-hidden="true">
          #
        </span>
        <span class="room-name">{roomLabel(room.id)}</span>
        {room.attention && <span class="badge badge-warning">needs you</span>}
        {room.isUnread && (
          <span class="unread-dot">
            <span class="hidden">unread</span>
          </span>
        )}
      </a>
    </li>
  );
}

function NewRoom({ onOpen }: { onOpen(room: string): void }): VNode {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  function submit(event: Event): void {
    event.preventDefault();
    const name = roomNameFrom(typed);
    if (name === undefined) {
      setProblem("Use letters a to z, digits and dashes, 32 at most.");
      return;
    }
    setTyped("");
    setProblem("");
    onOpen(webRoom(name));
  }
  return (
    <form class="new-room" onSubmit={submit}>
      <label for="new-room" class="hidden">
        Name of a new room
      </label>
      <input
        id="new-room"
        value={typed}
        placeholder="New room"
        autocomplete="off"
        maxLength={40}
        aria-invalid={problem !== ""}
        aria-describedby="new-room-problem"
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" class="quiet icon-button" aria-label="Open the new room">
        <Icon name="plus" />
      </button>
      <p id="new-room-problem" class="send-problem" role="alert">
        {problem}
      </p>
    </form>
  );
}

export interface SidebarProps {
  readonly state: PageState;
  onOpen(room: string): void;
  /** A room in the list was chosen. */
  onFollow(): void;
}

/** The rooms, and a place to name a new one. */
export function Sidebar({ state, onOpen, onFollow }: SidebarProps): VNode {
  return (
    <>
      <p class="brand">
        <img src={icon} alt="" width="26" height="26" />
        Troupe
      </p>
      <h2 class="side-title" id="rooms-title">
        Rooms
      </h2>
      <ul class="rooms">
        {listRooms(state).map((room) => (
          <RoomLink key={room.id} room={room} isOpen={room.id === state.room.id} onFollow={onFollow} />
        ))}
      </ul>
      <NewRoom onOpen={onOpen} />
    </>
  );
}
