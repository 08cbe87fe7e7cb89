import { describe, expect, it } from "vitest";
import { createPuppets } from "../../support/puppets.js";
import { scripted } from "../../support/rooms.js";
import { listenToSlack } from "../../support/slack-listener.js";
import { startSlackRooms, taken } from "../../support/slack-rooms.js";

const alpha = scripted("alpha", "you said: {{text}}");

/** Alpha is busy with a first message in a thread until `open`; what is said there meanwhile waits. */
async function busyThread() {
  const puppets = createPuppets();
  const rooms = await startSlackRooms({ personas: [puppets.persona("alpha")], brains: [puppets.brain] });
  const { slack } = rooms;
  const ann = slack.person("ann");
  puppets.plan("alpha", { wait: true }, { say: "first answered" });
  const root = ann.say("general", "@alpha first");
  await taken(root);
  return { ...rooms, puppets, ann, root };
}

describe("an edit in Slack", () => {
  it("that adds the first mention wakes once", async () => {
    const { slack, shows } = await startSlackRooms({ personas: [alpha] });
    const ann = slack.person("ann");
    const said = ann.say("general", "good morning");
    await taken(said);

    await taken(ann.edit(said, "good morning @alpha"));
    await taken(ann.edit(said, "good morning dear @alpha"));

    await shows("general", "you said: good morning @alpha");
    expect(slack.recorder.of("chat.postMessage")).toHaveLength(1);
  });

  it("that adds a mention of the app comes with a mention event of its own, and wakes once", async () => {
    const { slack, shows } = await startSlackRooms({ personas: [alpha] });
    const ann = slack.person("ann");
    const said = ann.say("general", "good morning");
    await taken(said);

    const edited = ann.edit(said, "good morning @Troupe");
    await taken(edited);

    expect(edited.deliveries).toHaveLength(2);
    await shows("general", "you said: good morning @Troupe");
    expect(slack.recorder.of("chat.postMessage")).toHaveLength(1);
  });

  it("of a message that was answered changes nothing", async () => {
    const { slack, shows, log } = await startSlackRooms({ personas: [alpha] });
    const ann = slack.person("ann");
    const said = ann.say("general", "@alpha one");
    await shows("general", "you said: @alpha one");

    await taken(ann.edit(said, "@alpha two"), ann.remove(said));
    await taken(ann.say("general", "a marker"));

    expect((await log("general")).map(({ entry }) => entry.text)).toEqual(["@alpha one", "a marker"]);
    expect(slack.recorder.of("chat.postMessage")).toHaveLength(1);
  });

  it("while the message waits changes what its turn sees, and a delete cancels the turn", async () => {
    const { puppets, ann, root, shows } = await busyThread();
    puppets.always("alpha", ({ text }) => [{ say: `you said: ${text}` }]);
    const edited = ann.say("general", "@alpha tow", { thread: root });
    const deleted = ann.say("general", "@alpha never mind", { thread: root });
    const last = ann.say("general", "@alpha last", { thread: root });
    await taken(root, edited, deleted, last);

    await taken(ann.edit(edited, "@alpha two"), ann.remove(deleted));
    puppets.open();

    await shows("general", "you said: @alpha last");
    expect(puppets.turns.toSorted()).toEqual(["alpha<@alpha first", "alpha<@alpha last", "alpha<@alpha two"]);
  });

  it("that only brings a link's preview does nothing, before and after a person's edit", async () => {
    const { slack, log } = await startSlackRooms({ personas: [alpha] });
    const ann = slack.person("ann");
    const said = ann.say("general", "see https://example.com/page");
    await taken(said, ann.unfurl(said, { text: "@alpha wrote a page" }));
    await taken(ann.edit(said, "see https://example.com/other"));
    await taken(ann.unfurl(said, { text: "@alpha wrote another" }));
    await taken(ann.say("general", "a marker"));

    expect(await log("general")).toHaveLength(2);
    expect(slack.recorder.of("chat.postMessage")).toEqual([]);
  });

  it("of a root with replies that is deleted is a delete", async () => {
    const { slack, revisions } = await listenToSlack();
    const ann = slack.person("ann");
    const root = ann.say("general", "@alpha first");
    const reply = ann.say("general", "and this", { thread: root });
    await taken(root, reply, ann.remove(root));
    await taken(ann.remove(reply));

    const room = `slack:${slack.workspace.team.id}:${root.channel}`;
    expect(revisions).toEqual([
      { session: room, id: root.ts, from: ann.id },
      { session: `${room}:${root.ts}`, id: reply.ts, from: ann.id },
    ]);
  });
});
