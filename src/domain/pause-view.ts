import type { PauseNotice } from "./notice.js";
import type { Trip } from "./pair.js";
import type { Button, Field, View } from "./view.js";

/** How a persona is named to people, given its handle. */
export type NameOf = (persona: string) => string;

/** Draws a pause: who, which rule and its figures, how many are held, how it went on. */
export function pauseView(id: string, notice: PauseNotice, nameOf: NameOf): View {
  const [a, b] = notice.agents.map(nameOf);
  const who = `${a} and ${b}`;
  const fields: Field[] = [{ label: "Held", value: String(notice.held) }];
  if (notice.dropped > 0) fields.push({ label: "Dropped", value: String(notice.dropped) });
  if (notice.state === "done") {
    const by = notice.by ?? "Troupe";
    const dropped = notice.dropped > 0 ? `, ${notice.dropped} dropped` : "";
    const delivered = `${count(notice.delivered, "held message")} delivered${dropped}.`;
    return { title: "Pair resumed", text: `${by} resumed ${who}. ${delivered}`, tone: "success" };
  }
  return {
    title: "Pair paused",
    text: [
      `${who} are paused: ${explainTrip(notice.trip, notice.by)}`,
      "What they say to each other is held until a person resumes.",
      ...quoted(notice),
    ].join("\n"),
    fields,
    buttons: buttons(id, notice),
    tone: "warning",
  };
}

/** A rule and its figures in plain words. */
export function explainTrip({ reason, count: reached, limit }: Trip, by?: string): string {
  switch (reason) {
    case "alternation":
      return `${reached} messages back and forth without progress (limit ${limit}).`;
    case "repeats":
      return `${reached} nearly identical messages in a row (limit ${limit}).`;
    case "cap":
      return `${reached} messages in a short time (limit ${limit}).`;
    case "manual":
      return `${by ?? "a person"} paused them.`;
    case "release_failed":
      return "a held message could not be delivered.";
  }
}

function buttons(id: string, { held }: PauseNotice): readonly Button[] {
  const resume: Button = { action: "troupe:resume", value: id, label: "Resume", style: "primary" };
  return held === 0 ? [resume] : [resume, { action: "troupe:drop", value: id, label: "Drop held", style: "danger" }];
}

function quoted({ lastLines }: PauseNotice): readonly string[] {
  return lastLines.map((line) => `> ${line}`);
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
