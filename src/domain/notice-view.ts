import type { BudgetNotice, FailedNotice, Notice } from "./notice.js";
import { type NameOf, pauseView } from "./pause-view.js";
import type { View } from "./view.js";

/** Draws a notice as it stands now. The same record gives the same view on every platform. */
export function noticeView(id: string, notice: Notice, nameOf: NameOf): View {
  switch (notice.type) {
    case "budget":
      return budgetView(id, notice, nameOf);
    case "failed":
      return failedView(id, notice, nameOf);
    case "pause":
      return pauseView(id, notice, nameOf);
  }
}

function budgetView(id: string, notice: BudgetNotice, nameOf: NameOf): View {
  const waiting = [...new Set(notice.waiting.map((wake) => nameOf(wake.persona)))].join(", ");
  const used = `The agents have used their budget: ${notice.used} of ${notice.limit} messages in a row without a person.`;
  if (notice.state === "done") {
    return {
      title: "Budget used up",
      text: `${used} ${notice.by ?? "A person"} continued; ${waiting} got the message.`,
      tone: "success",
    };
  }
  return {
    title: "Budget used up",
    text: `${used} ${waiting} was not woken.`.replace(/(,.*) was not woken/, "$1 were not woken"),
    tone: "warning",
    buttons: [{ action: "troupe:continue", value: id, label: "Continue", style: "primary" }],
  };
}

function failedView(id: string, notice: FailedNotice, nameOf: NameOf): View {
  const line = `${nameOf(notice.persona)} could not answer: ${notice.reason}`;
  if (notice.state === "done") return { text: `${line} ${notice.by ?? "A person"} asked again.`, tone: "info" };
  return { text: line, tone: "error", buttons: [{ action: "troupe:retry", value: id, label: "Retry" }] };
}
