import { onTestFinished } from "vitest";
import { type FakeSlack, startFakeSlack } from "../fakes/slack/server.js";
import { createFakeClock, type FakeClock } from "./fake-clock.js";

/** What persona apps with a bot user of their own are granted. */
const PERSONA_SCOPES = ["chat:write", "files:write", "reactions:write"];

/** A workspace with people in it, and the clock it goes by. */
export interface SlackTown {
  readonly slack: FakeSlack;
  readonly clock: FakeClock;
}

/**
 * A workspace to test in: ann (owner), bob (admin), cleo (member) and dora, a stranger of another team; the main app `troupe` with
 * `/agent` and `/schedule`, the persona app `gamma` and the foreign bot `pager`; `general` with everyone, `den` (private) with ann, bob and troupe.
 * Closes after the test.
 */
export async function openSlackTown(): Promise<SlackTown> {
  const clock = createFakeClock();
  const slack = await startFakeSlack({ clock });
  onTestFinished(() => slack.close());
  const { workspace } = slack;
  workspace.addUser({ name: "ann", isOwner: true });
  workspace.addUser({ name: "bob", isAdmin: true });
  workspace.addUser({ name: "cleo" });
  workspace.addUser({ name: "dora", teamId: "T0AWAY" });
  workspace.addApp({ name: "troupe", displayName: "Troupe", commands: ["/agent", "/schedule"] });
  workspace.addApp({ name: "gamma", displayName: "Gamma", scopes: PERSONA_SCOPES, events: [] });
  workspace.addApp({ name: "pager", displayName: "Pager", scopes: ["chat:write"], events: [] });
  const everyone = ["ann", "bob", "cleo", "dora", "troupe", "gamma", "pager"];
  workspace.addChannel({ name: "general", members: everyone, isShared: true });
  workspace.addChannel({ name: "den", kind: "group", members: ["ann", "bob", "troupe"] });
  return { slack, clock };
}
