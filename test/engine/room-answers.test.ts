import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.js";
import { explain } from "../../src/engine/commands/why.js";
import { ANN, BOB, ROOM, scripted, startRooms } from "../support/rooms.js";

const personas = [scripted("alpha", "alpha here"), scripted("beta", "beta here")];
const nameOf = (persona: string) => persona.toUpperCase();

describe("why", () => {
  const part = (result: "woke" | "suppressed" | "held" | "refused", ref?: string): Outcome => {
    return { kind: "parts", parts: [{ persona: "alpha", result, ...(ref === undefined ? {} : { ref }) }] };
  };

  it.each<readonly [Outcome | undefined, string]>([
    [undefined, "It has not been decided yet: it waits for its turn."],
    [{ kind: "superseded" }, "It woke nobody: it was changed or deleted before its turn."],
    [part("woke"), "It woke ALPHA."],
    [part("woke", "fake:T:general:9"), "It woke ALPHA in fake:T:general:9."],
    [part("suppressed"), "ALPHA was not woken: the burst budget was used up."],
    [part("held"), "It is held back from ALPHA until a person resumes."],
    [part("refused"), "ALPHA did not get it: the delivery was refused."],
    [{ kind: "ignored", reason: "self_mention" }, "It woke nobody: an agent cannot wake itself."],
    [{ kind: "ignored", reason: "empty_room" }, "It woke nobody: no persona is in this room."],
  ])("explains %j", (outcome, text) => {
    expect(explain(outcome, nameOf)).toBe(text);
  });

  it("takes the newest message of a long log, and says so when there is none", async () => {
    const rooms = await startRooms({ personas });
    expect((await rooms.command("agent why")).view.text).toMatch(/No such message/);

    await rooms.say("@Troupe room");
    await rooms.say("@beta hello");
    await rooms.say("@Troupe list");

    expect((await rooms.command("agent why")).view).toMatchObject({ title: "Message 4 of Beta" });
    expect((await rooms.command("agent why 0")).ok).toBe(false);
    expect((await rooms.command("agent why nothing-like-this")).ok).toBe(false);
  });
});

describe("the room command", () => {
  it("shows who hosts, what is missing, and that nobody is attached", async () => {
    const rooms = await startRooms({ personas });
    expect((await rooms.command("agent room")).view.fields?.[0]?.value).toMatch(/^none/);

    await rooms.command("agent host beta");
    expect((await rooms.command("agent room")).view.text).toContain("**Beta** (`beta`), host");
    await rooms.troupe.setTeam({ name: "acme", personas: [scripted("alpha", "alpha here")] });
    expect((await rooms.command("agent room")).view.text).toContain("host, missing: its file is gone");
    expect((await rooms.command("agent host beta")).view.text).toContain("The file of beta is gone");
    await rooms.command("agent remove alpha beta");

    expect((await rooms.command("agent room")).view.text).toBe("Nobody is attached. Add somebody: /agent add NAME");
  });

  it("lists the pairs that are paused, with the rule", async () => {
    const rooms = await startRooms({ personas });
    await rooms.command("agent pause alpha beta");

    const { view } = await rooms.command("agent room");

    expect(view.fields?.find(({ label }) => label === "Alpha and Beta")?.value).toMatch(/^paused, 0 held/);
  });
});

describe("the guard command", () => {
  it("shows the guard, switches it and changes one of its numbers within its range", async () => {
    const rooms = await startRooms({ personas });

    expect((await rooms.command("agent guard")).view).toMatchObject({ title: "Pair guard", text: "on" });
    expect((await rooms.command("agent guard alternations 4")).view.text).toBe(
      "Ann set the guard's alternations to 4.",
    );
    await rooms.command("agent guard off");

    const shown = (await rooms.command("agent guard")).view;
    expect(shown.text).toBe("off");
    expect(shown.fields).toContainEqual({ label: "alternations", value: "4" });
  });

  it.each([
    ["agent guard alternations 1", /whole number from 2/],
    ["agent guard alternations", /whole number/],
    ["agent guard alternations 4.5", /whole number/],
    ["agent guard alternation 4", /Did you mean alternations/],
    ["agent guard colour red", /The guard has: on, off/],
    ["agent pause alpha", /Say which two/],
    ["agent pause alpha alpha", /Say which two/],
    ["agent pause alpha gamma", /gamma is not in this room/],
    ["agent resume", /No such pair is paused/],
  ])("%s is refused with the mend", async (text, answer) => {
    const rooms = await startRooms({ personas });

    const result = await rooms.command(text);

    expect([result.ok, result.view.text]).toEqual([false, expect.stringMatching(answer)]);
  });

  it("pauses two agents once, and people from elsewhere can neither pause nor resume", async () => {
    const rooms = await startRooms({ personas });
    const guest = { ...BOB, isGuest: true };

    expect((await rooms.command("agent pause alpha beta", guest)).ok).toBe(false);
    expect((await rooms.command("agent pause alpha beta", BOB)).view.text).toBe("Bob paused Alpha and Beta.");
    expect((await rooms.command("agent pause beta alpha", BOB)).view.text).toBe("They are paused already.");
    expect((await rooms.command("agent resume", guest)).ok).toBe(false);
    expect((await rooms.command("agent resume", ANN)).data).toMatchObject({ resumed: 1, delivered: 0 });
  });
});

describe("a pressed button", () => {
  it("of another version, or of something that is gone, is answered and changes nothing", async () => {
    const rooms = await startRooms({ personas });

    for (const action of ["troupe:continue", "troupe:retry", "troupe:resume", "troupe:drop"]) {
      expect((await rooms.press(action, "gone")).view.text).toBe("What this button belonged to is gone.");
    }
    expect((await rooms.press("troupe:dance", "x")).view.text).toMatch(/not known here/);
    expect(await rooms.log()).toEqual([]);
  });

  it("of one kind does not use a notice of another", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", { steps: [{ fail: "no." }] })] });
    await rooms.say("@alpha go");
    const [notice] = (await rooms.troupe.reader.room(ROOM))?.notices ?? [];

    expect((await rooms.press("troupe:continue", notice?.id ?? "")).ok).toBe(false);
    expect((await rooms.press("troupe:resume", notice?.id ?? "")).ok).toBe(false);
    expect((await rooms.press("troupe:retry", notice?.id ?? "")).view.text).toBe("Alpha tries again.");
  });

  it("stops the turn that it was shown for", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", { steps: [{ delayMs: 9_000 }, { say: "late" }] })] });
    await rooms.say("@alpha go");
    const attempt = (await rooms.log()).find(({ entry }) => entry.kind === "ack")?.entry;

    // The id is opaque to people: it comes with the button that is shown while the turn runs.
    const id = `${ROOM}|${attempt?.id.replace("?", "|").split("|")[0]}|1.1`;
    const answer = await rooms.press("troupe:stop", id);
    await rooms.clock.advance(10_000);

    expect(answer.view.text).toBe("Stopping Alpha.");
    expect(await rooms.lines()).toEqual(["Ann: @alpha go"]);
  });
});
