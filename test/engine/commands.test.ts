import { describe, expect, it } from "vitest";
import { createFakeChat } from "../fakes/chat-platform.js";
import { ANN, BOB, ROOM, scripted, startRooms } from "../support/rooms.js";

const personas = [scripted("alpha", "alpha here"), scripted("beta", "beta here")];

describe("commands", () => {
  it("a command after a mention of the app is an entry that wakes nobody and is answered to its author alone", async () => {
    const rooms = await startRooms({ personas });

    await rooms.say("@Troupe room", { from: BOB });

    expect((await rooms.log()).map(({ entry, outcome }) => [entry.text, outcome])).toEqual([
      ["@Troupe room", { kind: "ignored", reason: "command" }],
    ]);
    expect(rooms.chat.whispers.map(({ to, view }) => [to, view.title])).toEqual([[BOB.id, ROOM]]);
  });

  it("a redelivered command runs once", async () => {
    const rooms = await startRooms({ personas });

    await rooms.say("@Troupe budget 3", { id: "c1" });
    await rooms.say("@Troupe budget 3", { id: "c1" });

    expect((await rooms.log()).filter(({ entry }) => entry.kind === "notice")).toHaveLength(1);
  });

  it("changes of the room are for admins, by the platform's word", async () => {
    const rooms = await startRooms({ personas });

    const refused = await rooms.command("agent budget 4", BOB);
    const allowed = await rooms.command("agent budget 4", ANN);

    expect([refused.ok, allowed.ok]).toEqual([false, true]);
    expect((await rooms.troupe.reader.room(ROOM))?.burst).toEqual({ used: 0, budget: 4, source: "room setting" });
  });

  it("changes of the room are for those whom the configuration lists, where it lists any", async () => {
    const rooms = await startRooms({ personas, admins: { fake: [BOB.id] } });

    expect((await rooms.command("agent fanout 2", ANN)).ok).toBe(false);
    expect((await rooms.command("agent fanout 2", BOB)).ok).toBe(true);
  });

  it("budget takes whole numbers from 1, refuses the rest unchanged, and returns to the default", async () => {
    const rooms = await startRooms({ personas });

    for (const wrong of ["0", "-1", "1.5", "many", "99999"])
      expect((await rooms.command(`agent budget ${wrong}`)).ok).toBe(false);
    expect((await rooms.command("agent room")).view.fields?.[1]).toEqual({ label: "Burst", value: "0/6 (default)" });
    await rooms.command("agent burst 5");
    expect((await rooms.command("agent room")).view.fields?.[1]).toEqual({
      label: "Burst",
      value: "0/5 (room setting)",
    });
    await rooms.command("agent budget");

    expect((await rooms.command("agent room")).view.fields?.[1]).toEqual({ label: "Burst", value: "0/6 (default)" });
  });

  it("room says when the burst is exhausted, and that it has no effect below two personas", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "on")], budget: 1 });

    await rooms.say("@alpha hi");

    const { view } = await rooms.command("agent room");
    expect(view.fields?.[1]?.value).toBe("1/1 (configuration), exhausted: a person's message or Continue restarts it");
    expect(view.text).toContain("no effect until two personas are here");
  });

  it("remove and add change who is woken; removing the host clears it; both are said in the room", async () => {
    const rooms = await startRooms({ personas });
    await rooms.command("agent host beta");

    await rooms.command("agent remove beta");
    await rooms.say("@beta hello");
    await rooms.command("agent add @Beta");
    await rooms.say("@beta hello again");

    expect(await rooms.lines()).toEqual(["Ann: @beta hello", "Ann: @beta hello again", "Beta: beta here"]);
    expect((await rooms.troupe.reader.room(ROOM))?.host).toBeNull();
    expect((await rooms.log()).filter(({ entry }) => entry.kind === "notice").map(({ entry }) => entry.text)).toEqual([
      "Ann made Beta host.",
      "Ann removed Beta.",
      "Ann added Beta.",
    ]);
  });

  it.each([
    ["agent add gamma", /team has no persona "gamma"/],
    ["agent add", /Say whom/],
    ["agent remove gamma", /Not in this room: gamma/],
    ["agent remove", /Say whom/],
    ["agent host gamma", /gamma is not in this room/],
    ["agent wake sometimes", /mention or always/],
    ["agent fanout", /whole number/],
    ["agent bugdet 3", /Did you mean \/agent budget/],
    ["agent help bugdet", /Did you mean \/agent budget/],
    ["agent frobnicate", /\/agent help lists/],
    ["nonsense words", /\/agent help lists/],
    ["agent stop", /Nobody is working/],
    ["agent stop beta", /beta is not working/],
    ["agent add allpha", /Did you mean alpha/],
    ["agent host alpha beta", /Too many words/],
    ["agent stop alpha beta", /Too many words/],
    ["agent pause alpha beta now", /Too many words/],
    ["agent resume alpha beta now", /Too many words/],
    ["agent fanout 2 3", /Too many words/],
    ["agent budget 2 3", /Too many words/],
    ["agent wake always please", /Too many words/],
    ["agent reply thread please", /Too many words/],
    ["agent pause alpha betta", /betta is not in this room. Did you mean beta/],
    ["agent why 99", /No such message/],
  ])("%s is refused with the mend", async (text, answer) => {
    const rooms = await startRooms({ personas });

    const result = await rooms.command(text);

    expect(result.ok).toBe(false);
    expect(result.view.text).toMatch(answer);
    expect(await rooms.log()).toEqual([]);
  });

  it.each(['"Doctor Who"', "Doctor Who", "@doctor  WHO", "DOC"])("know a persona as %s", async (name) => {
    const rooms = await startRooms({ personas: [...personas, { ...scripted("doc"), displayName: "Doctor Who" }] });

    const texts: string[] = [];
    for (const words of [
      `remove ${name}`,
      `add ${name} beta`,
      `host ${name}`,
      `pause beta ${name}`,
      `resume ${name} beta`,
    ])
      texts.push((await rooms.command(`agent ${words}`)).view.text ?? "");

    expect(texts).toEqual([
      "Ann removed Doctor Who.",
      "Ann added Doctor Who, Beta.",
      "Ann made Doctor Who host.",
      "Ann paused Beta and Doctor Who.",
      "Ann resumed 1 pair; 0 held messages delivered.",
    ]);
  });

  it("list at most twenty names where they refuse one", async () => {
    const many = Array.from({ length: 25 }, (_, i) => scripted(`agent-${String(i).padStart(2, "0")}`));
    const rooms = await startRooms({ personas: many });

    const { text } = (await rooms.command("agent add zzzzzz")).view;

    expect(text).toMatch(/agent-19 and 5 more\.$/);
  });

  it("pause makes the room where nothing has been said yet, so that the pause is shown", async () => {
    const rooms = await startRooms({ personas });

    await rooms.command("agent pause alpha beta");

    const room = await rooms.troupe.reader.room(ROOM);
    expect(room?.notices).toHaveLength(1);
    expect(room?.roster.map(({ name }) => name)).toEqual(["alpha", "beta"]);
  });

  it("why explains each outcome, by number, by link, or of the newest message", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "@beta?"), scripted("beta", "yes")], budget: 1 });
    await rooms.say("@alpha hi", { id: "m-1" });
    await rooms.quiet();
    await rooms.say("nobody");

    const text = async (words: string) => (await rooms.command(words)).view.text;
    expect(await text("agent why 1")).toBe("It woke Alpha.");
    expect(await text("agent why https://chat.example/archives/m-1")).toBe("It woke Alpha.");
    expect(await text("agent why #3")).toBe("Beta was not woken: the burst budget was used up.");
    expect(await text("agent why")).toBe("It woke nobody: it mentions no persona.");
  });

  it("why finds by its link what a persona has posted, and nothing that was said in another room", async () => {
    const chat = createFakeChat();
    const places: Record<string, { session: string; id: string }> = {};
    const located = Object.assign(chat, { locate: (link: string) => places[link] });
    const rooms = await startRooms({ personas: [scripted("alpha", "@beta?"), scripted("beta", "yes")], chat: located });
    await rooms.say("@alpha hi", { id: "m-1" });
    await rooms.quiet();
    await rooms.say("secret", { id: "m-2", session: "fake:T:den" });
    places["https://chat.example/1"] = { session: ROOM, id: chat.messages[0]?.messageId ?? "" };
    places["https://chat.example/2"] = { session: "fake:T:den", id: "m-2" };
    places["https://chat.example/3"] = { session: ROOM, id: "m-9" };

    const texts: unknown[] = [];
    for (const number of [1, 2, 3])
      texts.push((await rooms.command(`agent why https://chat.example/${number}`)).view.text);
    expect(texts).toEqual([
      "It woke Beta.",
      expect.stringMatching(/another room/),
      expect.stringMatching(/No such message/),
    ]);
  });

  it("why tells of an edited message what its newest words did", async () => {
    const rooms = await startRooms({ personas });
    await rooms.say("hi", { id: "m-1" });
    await rooms.chat.inbox.revise({ session: ROOM, id: "m-1", from: ANN.id, text: "@alpha hi" });
    await rooms.quiet();

    expect((await rooms.command("agent why 1")).view.text).toBe("It woke Alpha.");
  });

  it("help lists the commands, and one alone on demand", async () => {
    const rooms = await startRooms({ personas });

    const all = (await rooms.command("agent")).view.text;
    const one = (await rooms.command("agent help host")).view.text;

    const slash = (await rooms.command("agent help schedule")).view.text;
    expect(all.split("\n")).toHaveLength(19);
    expect(slash.split("\n")).toHaveLength(4);
    expect(slash).toMatch(/^- `\/schedule list`: .* \(admins\)$/m);
    expect(one).toBe("- `/agent host [NAME]`: Choose who answers when nobody is mentioned; no name clears (admins)");
  });

  it("list names the team and who is here", async () => {
    const rooms = await startRooms({ personas, room: { personas: ["beta"] } });

    expect((await rooms.command("agent list")).view.text).toBe(
      "- **Alpha** (`alpha`): The persona alpha.\n- **Beta** (`beta`), in this room: The persona beta.",
    );
  });

  it("wake and reply are settings of a channel and fixed in a direct conversation", async () => {
    const rooms = await startRooms({ personas });
    await rooms.say("hello", { session: "fake:T:dm", direct: true });

    const direct = await rooms.command("agent wake mention", ANN, "fake:T:dm");
    const channel = await rooms.command("agent wake always");
    await rooms.say("hello");

    expect(direct.view.text).toMatch(/cannot be changed here/);
    expect(channel.ok).toBe(true);
    expect(await rooms.lines("fake:T:dm")).toEqual(["Ann: hello", "Alpha: alpha here"]);
    expect(await rooms.lines()).toEqual(["Ann: hello", "Alpha: alpha here"]);
  });

  it("a bot can neither command nor press", async () => {
    const rooms = await startRooms({ personas });
    const bot = { kind: "bot", id: "fake:T:ci", name: "CI", isAdmin: true } as const;

    expect((await rooms.command("agent budget 3", bot)).ok).toBe(false);
    expect((await rooms.press("troupe:continue", "x", bot)).view.text).toBe("Only a person can press this.");
  });

  it("a persona whose file is gone stays listed as missing and is not woken; a new one joins", async () => {
    const rooms = await startRooms({ personas });
    await rooms.command("agent host beta");

    await rooms.say("first");
    await rooms.troupe.setTeam({
      name: "acme",
      personas: [scripted("alpha", "alpha here"), scripted("gamma", "gamma here")],
    });
    await rooms.say("@gamma hello");
    await rooms.say("@beta hello");

    expect((await rooms.lines()).slice(1)).toEqual(["Ann: @gamma hello", "Gamma: gamma here", "Ann: @beta hello"]);
    const roster = (await rooms.troupe.reader.room(ROOM))?.roster.map(({ name, missing }) => [name, missing]);
    expect(roster).toEqual([
      ["alpha", false],
      ["beta", true],
      ["gamma", false],
    ]);
    expect((await rooms.command("agent room")).view.fields?.[0]?.value).toContain("beta, dangling");
  });
});
