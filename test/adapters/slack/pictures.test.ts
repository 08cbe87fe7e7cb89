import { describe, expect, it, onTestFinished } from "vitest";
import { MODELS, openLlm } from "../../support/llm-harness.js";
import { startSlackRooms } from "../../support/slack-rooms.js";
import { openSlackTown } from "../../support/slack-town.js";
import { personaFixture } from "../../support/turn-fixture.js";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** A room in which alpha's model answers. */
async function seeingRoom() {
  const town = await openSlackTown();
  const llm = await openLlm(town.clock);
  onTestFinished(() => llm.close());
  llm.fake.script(() => ({ text: "I have looked at it." }));
  const alpha = personaFixture({ model: MODELS.anthropic });
  const rooms = await startSlackRooms({ personas: [alpha], brains: [llm.brain], town });
  return { ...rooms, llm };
}

describe("a picture in Slack", () => {
  it("reaches the model, fetched with the token from Slack's host alone", async () => {
    const { slack, shows, llm } = await seeingRoom();
    const files = [
      { name: "shot.png", bytes: PNG, mimetype: "image/png" },
      { name: "notes.txt", bytes: "secret notes", mimetype: "text/plain" },
    ];
    slack.person("ann").say("general", "@alpha what is this?", { files });
    await shows("general", "I have looked at it.");

    const [request] = llm.fake.requests;
    expect(request?.raw).toContain(PNG.toString("base64"));
    expect(request?.raw).toContain("(file notes.txt, text/plain, 1 kB)");
    expect(request?.raw).not.toContain("secret notes");
    expect(slack.files.downloads).toEqual([expect.objectContaining({ host: "slack", token: "troupe" })]);
  });

  it("that stands or leads elsewhere is only named, and no token goes there", async () => {
    const { slack, shows, llm } = await seeingRoom();
    const files = [
      { name: "far.png", bytes: PNG, mimetype: "image/png", isExternal: true },
      { name: "away.png", bytes: PNG, mimetype: "image/png", redirectsAway: true },
    ];
    slack.person("ann").say("general", "@alpha what is this?", { files });
    await shows("general", "I have looked at it.");

    expect(llm.fake.requests[0]?.raw).not.toContain(PNG.toString("base64"));
    for (const name of ["far.png", "away.png"]) expect(llm.fake.requests[0]?.raw).toContain(`(file ${name},`);
    expect(slack.files.downloads.filter(({ host }) => host === "foreign")).toEqual([]);
  });
});
