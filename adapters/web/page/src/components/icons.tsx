import type { VNode } from "preact";

const PATHS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  people:
    "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM2.500 20c.4-3.600 3-5.500 6.500-5.500s6.100 1.900 6.500 5.500M16 4.500a3.500 3.500 0 0 1 0 6.300M18 15c2 .7 3.200 2.400 3.500 5",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6 6 18",
  send: "M5 12h13M12.500 5.500 19 12l-6.500 6.500",
  down: "M12 5v14M5.500 12.500 12 19l6.500-6.500",
  sun: "M12 16.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM12 2v2M12 20v2M2 12h2M20 12h2M4.900 4.900l1.400 1.400M17.700 17.700l1.400 1.400M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z",
  auto: "M4 5.500h16v10.500H4zM9 20h6M12 16v4",
  stop: "M7 7h10v10H7z",
  why: "M9.200 9.300a2.900 2.900 0 1 1 4.300 2.600c-1 .6-1.500 1.200-1.500 2.300M12 17.500v.1M12 21.500a9.500 9.500 0 1 0 0-19 9.500 9.500 0 0 0 0 19Z",
} as const;

/** A line drawing in the colour of the text around it; always beside or instead of words that say the same. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
