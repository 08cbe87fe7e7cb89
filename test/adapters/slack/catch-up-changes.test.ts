import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import { settle } from "../../support/fake-clock.js";
import { createPuppets } from "../../support/puppets.js";
import { startSlackRooms, taken } from "../../support/slack-rooms.js";
import { openSlackTown } from "../../support/slack-town.js";

/**
 * A thread in which alpha is busy with a first message, and three more wait, when the service goes down. What Slack sends from then
 * on is lost.
 */
async function busyTown(downMs = 61_000) {
  const town = await openSlackTown();
  const store = createMemoryStore();
  const puppets = createPuppets();
  puppets.plan("alpha", { wait: true }, { say: "never said" });
  const first = await startSlackRooms({
    personas: [puppets.persona("alpha")],
    brains: [puppets.brain],
    town,
    store,
  });
  const ann = town.slack.person("ann");
  const quiet = ann.say("general", "hello there");
  const root = ann.say("general", "@alpha first");
  await taken(quiet, root);
  const waiting = ["two", "three", "four"].map((word) => ann.say("general", `@alpha ${word}`, { thread: root }));
  await taken(...waiting);
  let isStopped = false;
  const stopping = first.stop().finally(() => {
    isStopped = true;
  });
  // Not more time than it takes: how long ago something was said matters here.
  for (let passed = 0; !isStopped; passed += 200) {
    await settle(40);
    if (passed < 10_000) await town.clock.advance(200);
  }
  await stopping;
  await town.clock.advance(downMs);
  const next = createPuppets();
  next.plan("alpha", { wait: true }, { say: "first answered" });
  next.always("alpha", ({ text }) => [{ say: `you said: ${text}` }]);
  const restart = () => startSlackRooms({ personas: [next.persona("alpha")], brains: [next.brain], town, store });
  const lost = <T>(act: () => T): T => {
    town.slack.courier.fail("lose");
    return act();
  };
  return { ...town, store, ann, quiet, root, waiting, next, restart, lost };
}

describe("what was changed while the service was down", () => {
  it("is what a waiting turn sees, and a deleted message has no turn", async () => {
    const { ann, waiting, next, restart, lost } = await busyTown();
    const [two, three] = waiting;
    if (!two || !three) throw new Error("nothing waits");
    lost(() => ann.edit(two, "@alpha second"));
    lost(() => ann.remove(three));

    const { shows } = await restart();
    next.open();
    await shows("general", "you said: @alpha four");

    expect(next.turns.toSorted()).toEqual(["alpha<@alpha first", "alpha<@alpha four", "alpha<@alpha second"]);
  });

  it("is not known for sure of what was said a moment ago: history may lag behind", async () => {
    const { ann, waiting, next, restart, lost } = await busyTown(0);
    const [, three] = waiting;
    if (!three) throw new Error("nothing waits");
    lost(() => ann.remove(three));

    const { shows } = await restart();
    next.open();
    await shows("general", "you said: @alpha four");

    expect(next.turns).toContain("alpha<@alpha three");
  });

  it("wakes once where the edit adds the first mention, however often it is read", async () => {
    const { ann, quiet, next, restart, lost, slack } = await busyTown();
    lost(() => ann.edit(quiet, "@alpha hello there"));

    const second = await restart();
    next.open();
    await second.shows("general", "you said: @alpha hello there");
    await second.stop();
    const third = await restart();
    next.open();
    const last = ann.say("general", "@alpha the last");
    await taken(last);
    await third.shows("general", "you said: @alpha the last");

    const woken = slack.transcript("general").filter((line) => line.includes("you said: @alpha hello there"));
    expect(woken).toHaveLength(1);
  });

  it("too long ago wakes nobody, but still changes what waits", async () => {
    const { ann, quiet, waiting, next, restart, lost, clock } = await busyTown();
    const [two] = waiting;
    if (!two) throw new Error("nothing waits");
    lost(() => ann.edit(quiet, "@alpha hello there"));
    lost(() => ann.edit(two, "@alpha second"));
    await clock.advance(61 * 60_000);

    const { shows } = await restart();
    next.open();
    await shows("general", "you said: @alpha four");

    expect(next.turns).toContain("alpha<@alpha second");
    expect(next.turns.filter((turn) => turn.includes("hello"))).toEqual([]);
  });

  it("in a reply of an old thread wakes, too, where nobody had talked to us there", async () => {
    const { ann, quiet, next, restart, lost } = await busyTown();
    lost(() => ann.say("general", "@alpha what about this?", { thread: quiet }));

    const { shows } = await restart();
    next.open();
    await shows("general", "you said: @alpha what about this?");
  });

  it("a root that is deleted while its answer waits is not answered", async () => {
    const { ann, waiting, next, restart, lost, root, clock } = await busyTown();
    lost(() => ann.remove(root));
    for (const said of waiting.slice(1)) lost(() => ann.remove(said));

    const { log } = await restart();
    next.open();
    await clock.advance(0);
    const last = ann.say("general", "@alpha the last");
    await taken(last);

    const outcomes = (await log("general", root.ts)).flatMap(({ entry, outcome }) =>
      entry.kind === "message" ? [[entry.text, outcome?.kind]] : [],
    );
    expect(outcomes).toContainEqual(["@alpha three", "superseded"]);
    expect(outcomes).toContainEqual(["@alpha four", "superseded"]);
  });
});
