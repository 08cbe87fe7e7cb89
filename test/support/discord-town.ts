import { onTestFinished } from "vitest";
import { type FakeDiscord, startFakeDiscord } from "../fakes/discord/server.js";
import { createFakeClock, type FakeClock } from "./fake-clock.js";

/** A server with people in it, and the clock it goes by. */
export interface DiscordTown {
  readonly discord: FakeDiscord;
  readonly clock: FakeClock;
}

/**
 * A Discord to test in: the server `home` with ann (owner), bob (who manages the server), cleo and the bot `pager`; the app `troupe`;
 * `general` and `random` (text), `news` (announcement), `ideas` (forum), `den`, which only ann, bob and troupe see. Its time is `now` (milliseconds) at first. Closes after the test.
 */
export async function openDiscordTown(now?: number): Promise<DiscordTown> {
  const clock = createFakeClock(now);
  const discord = await startFakeDiscord({ clock });
  onTestFinished(() => discord.close());
  const { workspace } = discord;
  workspace.addUser({ name: "ann", displayName: "Ann" });
  workspace.addUser({ name: "bob", displayName: "Bob" });
  workspace.addUser({ name: "cleo", displayName: "Cleo" });
  workspace.addUser({ name: "pager", displayName: "Pager", isBot: true });
  workspace.addGuild({ name: "home", owner: "ann", members: ["bob", "cleo", "pager", "troupe"] });
  workspace.addRole("home", { name: "managers", may: ["manageGuild"], members: ["bob"] });
  workspace.addChannel({ name: "general" });
  workspace.addChannel({ name: "random" });
  workspace.addChannel({ name: "news", kind: "announcement" });
  workspace.addChannel({ name: "ideas", kind: "forum" });
  workspace.addChannel({ name: "den", onlyFor: ["ann", "bob", "troupe"] });
  return { discord, clock };
}
