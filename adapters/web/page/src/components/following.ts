import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Nearer to the end than this counts as being there. */
const NEAR_PX = 60;

export interface FollowingOptions {
  /** The oldest and the newest entry shown. */
  readonly first: number;
  readonly newest: number;
  /** What the height depends on. */
  readonly version: readonly unknown[];
  onChange(following: boolean): void;
}

export interface Following {
  readonly box: RefObject<HTMLDivElement>;
  readonly isFollowing: boolean;
  /** The newest entry when the reader left the end. */
  readonly leftAt: number;
  onScroll(): void;
  jump(): void;
}

/** Keeps a scrolling box at its end while the reader is there, and in place when older lines come in above. */
export function useFollowing({ first, newest, version, onChange }: FollowingOptions): Following {
  const box = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const left = useRef(newest);
  const before = useRef({ first, height: 0 });
  const isAtEnd = useRef(true);

  function toEnd(): void {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }

  function set(following: boolean): void {
    if (following === isAtEnd.current) return;
    isAtEnd.current = following;
    left.current = newest;
    setFollowing(following);
    onChange(following);
  }

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    if (isAtEnd.current) toEnd();
    else if (first < before.current.first) element.scrollTop += element.scrollHeight - before.current.height;
    before.current = { first, height: element.scrollHeight };
  }, [first, ...version]);

  useEffect(() => {
    // The box shrinks when the message box grows, and its lines grow when pictures arrive.
    const observer = new ResizeObserver(() => isAtEnd.current && toEnd());
    if (box.current !== null) observer.observe(box.current);
    if (box.current?.firstElementChild) observer.observe(box.current.firstElementChild);
    return () => observer.disconnect();
  }, []);

  return {
    box,
    isFollowing,
    leftAt: left.current,
    onScroll() {
      const element = box.current;
      if (element !== null) set(element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX);
    },
    jump() {
      set(true);
      toEnd();
      box.current?.focus();
    },
  };
}
