import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  attach,
  createRoom,
  detach,
  eligible,
  membersOf,
  type Room,
  setHost,
  withJoined,
} from "../../src/domain/room.js";

const TEAM = ["alpha", "beta", "gamma"];

function room(personas: "all" | readonly string[], host?: string): Room {
  return createRoom("web:local:general", { personas, direct: false, ...(host === undefined ? {} : { host }) }, 1000);
}

function names(of: Room, team: readonly string[] = TEAM): readonly string[] {
  return membersOf(of, team).map(({ name }) => name);
}

describe("a new room", () => {
  it("has the personas that it is told, once each, in their order", () => {
    expect(names(room(["gamma", "alpha", "gamma"]))).toEqual(["gamma", "alpha"]);
  });

  it("follows the team when it is told to have all", () => {
    expect(names(room("all"))).toEqual(TEAM);
    expect(names(room("all"), [...TEAM, "zeta"])).toEqual([...TEAM, "zeta"]);
  });

  it("keeps its id, host, kind and time", () => {
    const made = createRoom("web:local:dm", { personas: [], host: "beta", direct: true }, 1000);

    expect(made).toMatchObject({ id: "web:local:dm", host: "beta", direct: true, createdAt: 1000, attention: false });
    expect("host" in room([])).toBe(false);
  });
});

describe("attaching", () => {
  it("adds a persona at the end", () => {
    expect(names(attach(room(["gamma"]), "alpha", TEAM))).toEqual(["gamma", "alpha"]);
  });

  it("twice makes one member, in its old place", () => {
    const once = attach(room(["gamma", "alpha"]), "gamma", TEAM);

    expect(names(once)).toEqual(["gamma", "alpha"]);
    expect(attach(once, "gamma", TEAM)).toEqual(once);
  });

  it("leaves host and other settings alone", () => {
    const before = room(["beta"], "beta");

    expect(attach(before, "alpha", TEAM)).toEqual({ ...before, roster: ["beta", "alpha"] });
  });

  it("brings back a persona that was removed from a room that follows the team, at the end", () => {
    const back = attach(detach(room("all"), "alpha", TEAM), "alpha", TEAM);

    expect(names(back)).toEqual(["beta", "gamma", "alpha"]);
    expect(back.removed).toEqual([]);
  });
});

describe("detaching", () => {
  it("takes a persona out, and twice is the same", () => {
    const without = detach(room(["alpha", "beta"]), "alpha", TEAM);

    expect(names(without)).toEqual(["beta"]);
    expect(detach(without, "alpha", TEAM)).toEqual(without);
  });

  it("the last one empties the room", () => {
    expect(names(detach(room(["alpha"]), "alpha", TEAM))).toEqual([]);
  });

  it("the host leaves the room without one", () => {
    const without = detach(room(["alpha", "beta"], "alpha"), "alpha", TEAM);

    expect("host" in without).toBe(false);
  });

  it("another keeps the host", () => {
    expect(detach(room(["alpha", "beta"], "alpha"), "beta", TEAM).host).toBe("alpha");
  });

  it("from a room that follows the team lasts, while new personas still join", () => {
    const without = detach(room("all"), "beta", TEAM);

    expect(names(without, [...TEAM, "delta"])).toEqual(["alpha", "gamma", "delta"]);
  });
});

describe("members", () => {
  it("whose file is gone stay, marked as missing, and are not eligible", () => {
    const of = room(["alpha", "gone"]);

    expect(membersOf(of, TEAM)).toEqual([
      { name: "alpha", missing: false },
      { name: "gone", missing: true },
    ]);
    expect(eligible(of, TEAM)).toEqual(["alpha"]);
  });
});

describe("writing down who has joined", () => {
  it("keeps those listed whose file goes, and changes nothing the second time", () => {
    const written = withJoined(room("all"), TEAM);

    expect(membersOf(written, ["alpha", "beta"])).toContainEqual({ name: "gamma", missing: true });
    expect(withJoined(written, TEAM)).toBe(written);
  });

  it("changes nothing in a room with a roster of its own", () => {
    const own = room(["beta"]);

    expect(withJoined(own, TEAM)).toBe(own);
  });
});

describe("the host", () => {
  it("is set, replaced and cleared, and nothing else changes", () => {
    const before = room(["alpha", "beta"]);

    const hosted = setHost(setHost(before, "alpha"), "beta");

    expect(hosted).toEqual({ ...before, host: "beta" });
    expect(setHost(hosted, undefined)).toEqual(before);
    expect("host" in setHost(hosted, undefined)).toBe(false);
  });
});

describe("any sequence of attaching and detaching", () => {
  const team = ["a", "b", "c", "d"];
  const steps = fc.array(fc.tuple(fc.boolean(), fc.constantFrom(...team)));
  const starts = fc.oneof(fc.constant("all" as const), fc.subarray(team));

  function run(start: Room, sequence: readonly (readonly [boolean, string])[]): Room {
    return sequence.reduce((of, [isAttach, name]) => (isAttach ? attach : detach)(of, name, team), start);
  }

  it("ends with those members whose last step attached them, each once", () => {
    fc.assert(
      fc.property(starts, steps, (start, sequence) => {
        const isMember = (name: string) => sequence.findLast(([, other]) => other === name)?.[0];
        const began = names(room(start), team);
        const expected = team.filter((name) => isMember(name) ?? began.includes(name));

        expect(names(run(room(start), sequence), team).toSorted()).toEqual(expected);
      }),
    );
  });

  it("never leaves a host that is no member", () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const { host, ...end } = run(room("all", "a"), sequence);

        if (host !== undefined) expect(names(end, team)).toContain(host);
      }),
    );
  });
});
