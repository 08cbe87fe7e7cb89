/**
 * Platform-neutral pictures of what the system says. Adapters draw them with what their platform has;
 * a button keeps its id and opaque value everywhere.
 */
export interface Button {
  /** `troupe:continue`, `troupe:retry`, `troupe:stop`, … (product section 6). */
  readonly action: string;
  readonly value: string;
  readonly label: string;
  readonly style?: "primary" | "danger";
}

export interface Field {
  readonly label: string;
  readonly value: string;
}

/** `text` is Markdown of our own words; names inside are already made inert. */
export interface View {
  readonly title?: string;
  readonly text: string;
  readonly fields?: readonly Field[];
  readonly buttons?: readonly Button[];
  readonly tone?: "info" | "warning" | "error" | "success";
}

/** A view as plain text, for places without layout. Buttons are left out: they cannot be pressed there. */
export function viewText(view: View): string {
  const fields = (view.fields ?? []).map((field) => `${field.label}: ${field.value}`);
  return [view.title, view.text, ...fields].filter((line) => line !== undefined && line !== "").join("\n");
}
