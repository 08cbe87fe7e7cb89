import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { RoomPage } from "./components/room-page.js";
import { SignIn } from "./components/sign-in.js";
import { createApi } from "./net/api.js";
import { dropKey, keepKey, readFragment, roomFragment, takeKey } from "./net/session-key.js";
import { createController } from "./state/controller.js";
import type { PageState } from "./state/model.js";
import { loadPreferences, type Preferences, savePreferences, saveSeen } from "./state/preferences.js";
import { type Store, usePageState } from "./state/store.js";
import { MAIN_ROOM, roomLabel } from "./text/room-names.js";

function roomInAddress(): string {
  return readFragment(location.hash).room ?? MAIN_ROOM;
}

function usePreferences(): [Preferences, (preferences: Preferences) => void] {
  const [preferences, set] = useState(loadPreferences);
  useEffect(() => {
    document.documentElement.dataset.theme = preferences.theme;
    savePreferences(preferences);
  }, [preferences]);
  return [preferences, set];
}

/** Opens the room that the address names, now and whenever it changes; a new key in the address is taken at once. */
function useAddress(store: Store, open: ((room: string) => void) | undefined): void {
  useEffect(() => {
    const follow = (): void => {
      const key = takeKey();
      if (key !== undefined && key !== store.get().key) store.dispatch({ type: "signed-in", key });
      else open?.(roomInAddress());
    };
    open?.(roomInAddress());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [store, open]);
}

function title(state: PageState): string {
  const unread = state.rooms.filter(
    (room) => room.id !== state.room.id && room.seq > (state.seen[room.id] ?? 0),
  ).length;
  return `${unread > 0 ? `(${unread}) ` : ""}${roomLabel(state.room.id)} · Troupe`;
}

/** The whole page: the question for a key, or the room. */
export function App({ store }: { readonly store: Store }): VNode {
  const state = usePageState(store);
  const [preferences, setPreferences] = usePreferences();
  const { key } = state;
  const controller = useMemo(
    () => (key === undefined ? undefined : createController(store, createApi(key))),
    [store, key],
  );

  useAddress(store, controller?.open);
  useEffect(() => () => controller?.stop(), [controller]);
  useEffect(() => saveSeen(state.seen), [state.seen]);
  useEffect(() => {
    if (state.refused) dropKey();
  }, [state.refused]);
  useEffect(() => {
    document.title = key === undefined ? "Troupe" : title(state);
  });

  if (controller === undefined) {
    return (
      <SignIn
        refused={state.refused}
        onKey={(typed) => {
          keepKey(typed);
          store.dispatch({ type: "signed-in", key: typed });
        }}
      />
    );
  }
  return (
    <RoomPage
      state={state}
      controller={controller}
      preferences={preferences}
      onPreferences={setPreferences}
      onOpen={(room) => {
        location.hash = roomFragment(room);
      }}
    />
  );
}
