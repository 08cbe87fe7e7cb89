import { useEffect, useRef, useState } from "preact/hooks";

export type Drawer = "rooms" | "details";

export interface Drawers {
  readonly open: Drawer | undefined;
  toggle(drawer: Drawer): void;
  close(): void;
}

/**
 * Which side panel lies over the room on a narrow screen. Escape closes it, and the focus goes back to
 * where it was; on a wide screen the panels stand beside the room and none of this matters.
 */
export function useDrawers(): Drawers {
  const [open, setOpen] = useState<Drawer | undefined>(undefined);
  const opener = useRef<Element | null>(null);

  const close = (): void => setOpen(undefined);

  useEffect(() => {
    if (open === undefined) {
      // Only now: while a drawer was open, what lies under it could not have the focus.
      if (opener.current instanceof HTMLElement) opener.current.focus();
      opener.current = null;
      return;
    }
    document.getElementById(open)?.focus();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape") close();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [open]);

  return {
    open,
    toggle(drawer) {
      if (open === drawer) close();
      else {
        opener.current = document.activeElement;
        setOpen(drawer);
      }
    },
    close,
  };
}
