import { expect } from "vitest";
import { FACES } from "./afternoon.js";
import type { Account, ScenarioDriver } from "./scenario.js";

/**
 * What holds at the end of every scenario whose texts are each said once: each message of a person was kept once and ended as it
 * should, nothing stands twice, and what personas say stands under their own faces.
 */
export async function expectGoodEnd(driver: ScenarioDriver, said: readonly Account[]): Promise<void> {
  const accounts = await driver.accounts();
  const shown = await driver.shown();
  const faces = shown.filter(({ from }) => FACES.some(({ displayName }) => displayName === from));
  const lines = shown.map(({ from, text, place }) => `${place} ${from}: ${text}`);

  expect(inOrder(accounts)).toEqual(inOrder(said));
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
  expect(faces.length).toBeGreaterThan(0);
  expect(faces.filter(({ hasPersonasFace }) => !hasPersonasFace)).toEqual([]);
}

/** A platform may write a name with small letters: it counts the same. */
function inOrder(accounts: readonly Account[]): readonly string[] {
  return accounts.map(({ text, ended }) => `${text.toLowerCase()} → ${ended}`).toSorted();
}
