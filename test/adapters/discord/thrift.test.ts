import { RequestMethod } from "discord.js";
import { expect, it } from "vitest";
import { createBudget } from "../../../adapters/discord/outbound/budget.js";
import { createCaller } from "../../../adapters/discord/outbound/rest.js";
import { startDiscordRooms } from "../../support/discord-rooms.js";
import { createFakeClock, settle } from "../../support/fake-clock.js";
import { scripted } from "../../support/rooms.js";

it("an answer in a channel and one in a thread that are known cost one request each: the post", async () => {
  const { discord, shows } = await startDiscordRooms({ personas: [scripted("alpha", "Alpha here: {{text}}")] });
  const ann = discord.person("ann");
  const thread = ann.openThread("general", "talk");
  ann.say("general", "@alpha one");
  await shows("general", "Alpha here: @alpha one");
  ann.say("general", "@alpha two", { thread });
  await shows(thread.id, "Alpha here: @alpha two");
  await discord.recorder.until(() => discord.app.commands.has(discord.workspace.guild("home").id));
  await settle();
  const before = discord.recorder.requests.length;

  ann.say("general", "@alpha three");
  await shows("general", "Alpha here: @alpha three");
  ann.say("general", "@alpha four", { thread });
  await shows(thread.id, "Alpha here: @alpha four");

  const methods = discord.recorder.requests.slice(before).map(({ method }) => method);
  expect(methods).toEqual(["execute_webhook", "execute_webhook"]);
});

it("a request carries what Discord needs to know, and nothing of our own", async () => {
  const clock = createFakeClock();
  const sent: unknown[] = [];
  const breaker = {
    async makeRequest(_: string, { headers }: { readonly headers?: unknown }): Promise<never> {
      sent.push(headers);
      throw new Error("not sent");
    },
    pausedMs: () => 0,
    isTokenRefused: () => false,
    problem: () => undefined,
  };
  const caller = createCaller({ token: "a.b.c", clock, breaker, budget: createBudget(clock), isPaced: false });

  await caller.call({ method: RequestMethod.Get, path: "/users/@me" }, new AbortController().signal);
  caller.stop();

  expect(sent).toEqual([{ Authorization: "Bot a.b.c", "User-Agent": expect.stringContaining("DiscordBot") }]);
});
