import { useEffect, useState } from "preact/hooks";
import type { Action } from "./actions.js";
import type { PageState } from "./model.js";
import { reduce } from "./reduce.js";

const FRAME_MS = 16;

/** The page's one place of state. Listeners are called after each change. */
export interface Store {
  get(): PageState;
  dispatch(action: Action): void;
  subscribe(listener: () => void): () => void;
}

export function createStore(initial: PageState): Store {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The state, drawing the component again after changes: at most once a frame, however fast a room talks. */
export function usePageState(store: Store): PageState {
  const [state, setState] = useState(store.get());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer = undefined;
      setState(store.get());
    };
    draw();
    const unsubscribe = store.subscribe(() => {
      timer ??= setTimeout(draw, FRAME_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store]);
  return state;
}
