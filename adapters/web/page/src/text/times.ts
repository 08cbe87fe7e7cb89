const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const DAY_WITH_YEAR = new Intl.DateTimeFormat(undefined, {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});

export function clockTime(at: number): string {
  return CLOCK.format(at);
}

export function fullTime(at: number): string {
  return FULL.format(at);
}

/** A key that is equal for all moments of one local day. */
export function dayKey(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

/** `Today`, `Yesterday` or the date, with the year when it is not this one. */
export function dayLabel(at: number, now: number): string {
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (dayKey(at) === dayKey(now)) return "Today";
  if (dayKey(at) === dayKey(yesterday.getTime())) return "Yesterday";
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? DAY.format(at) : DAY_WITH_YEAR.format(at);
}
