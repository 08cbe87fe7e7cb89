import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { type ComposerHandle, castKey, createCast, futureRoster, type RoomTools, RoomToolsContext } from "../cast.js";
import type { Controller } from "../state/controller.js";
import type { PageState } from "../state/model.js";
import type { Preferences } from "../state/preferences.js";
import { roomLabel } from "../text/room-names.js";
import type { RosterMember, TeamPersona } from "../wire.js";
import { Banner } from "./banner.js";
import { BurstMeter } from "./burst-meter.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { Details } from "./details.js";
import { type Drawer, type Drawers, useDrawers } from "./drawers.js";
import { Icon } from "./icons.js";
import { Sidebar } from "./sidebar.js";

export interface RoomPageProps {
  readonly state: PageState;
  readonly controller: Controller;
  readonly preferences: Preferences;
  onPreferences(preferences: Preferences): void;
  onOpen(room: string): void;
}

const NOBODY: readonly RosterMember[] = [];

function DrawerButton({
  drawer,
  drawers,
  label,
}: {
  readonly drawer: Drawer;
  readonly drawers: Drawers;
  readonly label: string;
}): VNode {
  return (
    <button
      type="button"
      class={`quiet icon-button toggle-${drawer}`}
      aria-label={label}
      aria-expanded={drawers.open === drawer}
      aria-controls={drawer}
      onClick={() => drawers.toggle(drawer)}
    >
      <Icon name={drawer === "rooms" ? "menu" : "people"} />
    </button>
  );
}

/** Only drawn while the panel lies over the room: there, what opened it cannot be reached. */
function CloseButton({ drawers }: { readonly drawers: Drawers }): VNode {
  return (
    <button type="button" class="quiet icon-button drawer-close" aria-label="Back to the room" onClick={drawers.close}>
      <Icon name="close" />
    </button>
  );
}

function Header({ state, drawers }: { readonly state: PageState; readonly drawers: Drawers }): VNode {
  const { room } = state;
  const here = room.state?.roster.length ?? 0;
  return (
    <header class="room-header">
      <DrawerButton drawer="rooms" drawers={drawers} label="Rooms" />
      <div class="room-title">
        <h1>
          <span class="room-hash" aria-hidden="true">
            #
          </span>
          {roomLabel(room.id)}
        </h1>
        {room.state && <p>{here === 1 ? "1 persona" : `${here} personas`}</p>}
      </div>
      {room.state && <BurstMeter burst={room.state.burst} label />}
      <DrawerButton drawer="details" drawers={drawers} label="Who is here, and settings" />
    </header>
  );
}

function useTools(roster: readonly RosterMember[], team: readonly TeamPersona[], controller: Controller): RoomTools {
  const composer = useRef<ComposerHandle>(null);
  const cast = useMemo(() => createCast(roster, team), [castKey(roster, team)]);
  return useMemo(() => ({ controller, cast, composer }), [controller, cast]);
}

/** The open room with the rooms at its left and who is in it at its right. */
export function RoomPage({ state, controller, preferences, onPreferences, onOpen }: RoomPageProps): VNode {
  const { room } = state;
  const drawers = useDrawers();
  const roster = room.state === null ? futureRoster(state.team) : (room.state?.roster ?? NOBODY);
  const tools = useTools(roster, state.team, controller);
  const open = (id: string): void => {
    drawers.close();
    onOpen(id);
  };
  return (
    <RoomToolsContext.Provider value={tools}>
      <button type="button" class="skip" onClick={() => document.getElementById("message-box")?.focus()}>
        Skip to the message box
      </button>
      <div class={`page ${drawers.open === undefined ? "" : `open-${drawers.open}`}`}>
        <nav class="side side-rooms" id="rooms" tabIndex={-1} aria-label="Rooms">
          <CloseButton drawers={drawers} />
          <Sidebar state={state} onOpen={open} onFollow={drawers.close} />
        </nav>
        <main class="room-main" inert={drawers.open !== undefined}>
          <Header state={state} drawers={drawers} />
          <Banner connection={room.connection} />
          <Conversation key={room.id} room={room} showActivity={preferences.showActivity} />
          <Composer key={`composer-${room.id}`} room={room.id} />
        </main>
        <aside class="side side-details" id="details" tabIndex={-1} aria-label="Room details">
          <CloseButton drawers={drawers} />
          <Details state={room.state} roster={roster} preferences={preferences} onPreferences={onPreferences} />
        </aside>
        <div class="scrim" aria-hidden="true" onClick={drawers.close} />
      </div>
    </RoomToolsContext.Provider>
  );
}
