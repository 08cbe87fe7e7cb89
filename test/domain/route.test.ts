import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMentionParser } from "../../src/domain/mention.js";
import { addressed, type RouteContext, routeAgent, routePerson } from "../../src/domain/route.js";

const TEAM = ["alpha", "beta", "gamma", "delta"];
const parse = createMentionParser(TEAM.map((name) => ({ name, displayName: name.toUpperCase() })));

function room(over: Partial<RouteContext> = {}): RouteContext {
  return { members: ["alpha", "beta", "gamma"], settings: { wake: "always", fanout: 1 }, parse, ...over };
}

const mention = (over: Partial<RouteContext> = {}) => room({ settings: { wake: "mention", fanout: 1 }, ...over });

const agent = (id: string) => ({ kind: "agent", id, name: id }) as const;

describe("a person's message", () => {
  it("wakes the persona chosen by name before anybody who is mentioned", () => {
    expect(routePerson({ text: "tell @alpha", to: "beta" }, room()).personas).toEqual(["beta"]);
  });

  it("wakes nobody when the persona chosen by name is not attached, and names it", () => {
    const route = routePerson({ text: "@delta and @nobody", to: "delta" }, room());

    expect(route).toMatchObject({ personas: [], reason: "unknown_mention" });
    expect(route.unknown[0]).toBe("delta");
  });

  it("wakes whom it mentions before the host and before the order of attachment", () => {
    expect(routePerson({ text: "@gamma, @beta" }, room({ host: "beta" })).personas).toEqual(["gamma"]);
  });

  it("wakes as many as the fan-out says, in text order, each once, and names the others", () => {
    const settings = { wake: "mention", fanout: 2 } as const;

    const route = routePerson({ text: "@gamma @beta @gamma @alpha" }, room({ settings }));

    expect(route).toEqual({ personas: ["gamma", "beta"], beyond: ["alpha"], unknown: [] });
  });

  it("without a mention goes to the host, without one to the first attached, without any to the default persona", () => {
    expect(routePerson({ text: "hello" }, room({ host: "beta" })).personas).toEqual(["beta"]);
    expect(routePerson({ text: "hello" }, room({ host: "delta" })).personas).toEqual(["alpha"]);
    expect(routePerson({ text: "hello" }, room({ members: [], defaultPersona: "delta" })).personas).toEqual(["delta"]);
    expect(routePerson({ text: "hello" }, room({ members: [] }))).toMatchObject({ personas: [], reason: "empty_room" });
  });

  it("that names somebody who is not here goes on to the host in an always room and to nobody in a mention room", () => {
    const text = "@delta?";

    expect(routePerson({ text }, room({ host: "beta" }))).toMatchObject({ personas: ["beta"], unknown: ["delta"] });
    expect(routePerson({ text }, mention({ host: "beta" }))).toMatchObject({ personas: [], reason: "unknown_mention" });
  });

  it("without a mention wakes nobody in a mention room, unless it addresses the app or answers a persona", () => {
    expect(routePerson({ text: "hello" }, mention())).toMatchObject({ personas: [], reason: "no_mention" });
    expect(routePerson({ text: "@troupe, please" }, mention({ host: "beta" })).personas).toEqual(["beta"]);
    expect(routePerson({ text: "thanks", answers: "gamma" }, mention()).personas).toEqual(["gamma"]);
    expect(routePerson({ text: "thanks" }, mention({ previousSpeaker: "gamma" })).personas).toEqual(["gamma"]);
  });

  it("that answers a persona which has left goes the way of one that answers nobody in particular", () => {
    expect(routePerson({ text: "thanks", answers: "delta" }, mention({ host: "beta" })).personas).toEqual(["beta"]);
  });

  it("in a thread that names somebody who is not here does not go to who spoke last", () => {
    expect(routePerson({ text: "@delta?" }, mention({ previousSpeaker: "gamma" }))).toMatchObject({ personas: [] });
  });
});

describe("an agent's message", () => {
  it("wakes the first attached persona that it mentions, never its sender, and has no fallback", () => {
    const from = (text: string) => routeAgent({ text, sender: agent("alpha") }, room({ host: "beta" }));

    expect(from("@beta?").personas).toEqual(["beta"]);
    expect(from("I, @alpha, ask @gamma").personas).toEqual(["gamma"]);
    expect(from("hello")).toMatchObject({ personas: [], reason: "no_mention" });
    expect(from("@alpha")).toMatchObject({ personas: [], reason: "self_mention" });
    expect(from("@delta")).toMatchObject({ personas: [], reason: "unknown_mention" });
    expect(from("@troupe")).toMatchObject({ personas: [], reason: "no_mention" });
  });

  it("that was sent to somebody wakes only that one, and nobody when it has left", () => {
    const sent = (to: string) => routeAgent({ text: "@beta and @gamma", to, sender: agent("alpha") }, room());

    expect(sent("gamma").personas).toEqual(["gamma"]);
    expect(sent("delta")).toMatchObject({ personas: [], reason: "unknown_mention" });
    expect(sent("alpha")).toMatchObject({ personas: [], reason: "unknown_mention" });
  });

  it("of an allow-listed bot that is called like a persona may wake that persona", () => {
    const bot = { kind: "bot", id: "alpha", name: "Alpha" } as const;

    expect(routeAgent({ text: "@alpha look", sender: bot }, room()).personas).toEqual(["alpha"]);
  });
});

describe("a mention of the app at the beginning", () => {
  it.each([
    ["@troupe alpha look", "alpha"],
    ["  @Troupe, ALPHA: look", "alpha"],
    ["@troupe room", undefined],
    ["@troupe", undefined],
    ["@troupe alphabet soup", undefined],
  ])("%j chooses %s", (text, persona) => {
    const found = addressed(text, parse, TEAM);

    expect(found).toBeDefined();
    expect(found?.persona).toBe(persona);
  });

  it.each(["hello @troupe alpha", "@alpha @troupe beta", "alpha", ""])("is not in %j", (text) => {
    expect(addressed(text, parse, TEAM)).toBeUndefined();
  });
});

describe("routing of random messages", () => {
  const word = fc.constantFrom("@alpha", "@beta", "@gamma", "@delta", "@nobody", "@troupe", "look", "`@beta`");
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
  const context = fc
    .record({
      members: fc.subarray(TEAM),
      host: fc.constantFrom(undefined, ...TEAM),
      defaultPersona: fc.constantFrom(undefined, ...TEAM),
      previousSpeaker: fc.constantFrom(undefined, ...TEAM),
      fanout: fc.integer({ min: 1, max: 4 }),
      wake: fc.constantFrom("mention" as const, "always" as const),
    })
    .map(({ members, host, defaultPersona, previousSpeaker, fanout, wake }): RouteContext => {
      return {
        members,
        settings: { wake, fanout },
        parse,
        ...(host === undefined ? {} : { host }),
        ...(defaultPersona === undefined ? {} : { defaultPersona }),
        ...(previousSpeaker === undefined ? {} : { previousSpeaker }),
      };
    });
  const to = fc.constantFrom(undefined, ...TEAM);

  it("never yields the sender, nor anybody who is not attached, nor anybody twice, nor more than the fan-out", () => {
    fc.assert(
      fc.property(text, context, fc.constantFrom(...TEAM), to, (words, around, sender, receiver) => {
        const message = { text: words, sender: agent(sender), ...(receiver === undefined ? {} : { to: receiver }) };
        const { personas, beyond } = routeAgent(message, around);

        expect(personas).not.toContain(sender);
        expect(personas.every((name) => around.members.includes(name))).toBe(true);
        expect(new Set([...personas, ...beyond]).size).toBe(personas.length + beyond.length);
        expect(personas.length).toBeLessThanOrEqual(around.settings.fanout);
      }),
    );
  });

  it("of people yields only who is attached, or the default persona where nobody is, and a reason where it yields nobody", () => {
    fc.assert(
      fc.property(text, context, to, to, (words, around, receiver, answers) => {
        const message = {
          text: words,
          ...(receiver === undefined ? {} : { to: receiver }),
          ...(answers === undefined ? {} : { answers }),
        };
        const { personas, reason } = routePerson(message, around);

        const allowed = around.members.length > 0 ? around.members : [around.defaultPersona];
        expect(personas.every((name) => allowed.includes(name))).toBe(true);
        expect(reason === undefined).toBe(personas.length > 0);
      }),
    );
  });
});
