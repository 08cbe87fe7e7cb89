import type { Answer } from "../../src/ports/platform.js";
import type { Interaction } from "../fakes/discord/interactions.js";
import type { FakeDiscord } from "../fakes/discord/server.js";

/** A promise that a test settles. */
export function gate<T>() {
  let open: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

/** An answer of the engine to one person, with what a test wants otherwise. */
export function answer(text: string, more: Partial<Answer> = {}): Answer {
  return { ok: true, view: { text }, public: false, ...more };
}

/** What was shown to whoever asked, once it is there. */
export async function shown(discord: FakeDiscord, asked: Interaction): Promise<string> {
  await discord.recorder.until(() => asked.original !== undefined && !asked.isThinking);
  return asked.original?.content ?? "";
}
