import { describe, expect, it } from "vitest";
import { createKeys } from "../../src/http/keys.js";
import { roomLink } from "../../src/http/links.js";

describe("keys", () => {
  it("makes two new keys of 256 bits at each start", () => {
    const [one, two] = [createKeys(), createKeys()];

    const all = [one.person, one.readToken, two.person, two.readToken];
    expect(new Set(all).size).toBe(4);
    for (const key of all) expect(Buffer.from(key, "base64url").length).toBe(32);
    expect(one.adminTokenSet).toBe(false);
  });

  it("takes the operator's token as the person's key, and an empty one for none", () => {
    const chosen = createKeys("chosen by the operator");

    expect([chosen.person, chosen.adminTokenSet]).toEqual(["chosen by the operator", true]);
    expect(createKeys("").person).not.toBe("");
    expect(createKeys("").adminTokenSet).toBe(false);
  });

  it("tells the keys apart and knows nothing else", () => {
    const keys = createKeys();

    expect(keys.accessOf(keys.person)).toBe("person");
    expect(keys.accessOf(keys.readToken)).toBe("read");
    for (const wrong of ["", keys.person.slice(1), `${keys.person}x`, keys.person.toUpperCase(), "Bearer"]) {
      expect(keys.accessOf(wrong)).toBeUndefined();
    }
  });
});

describe("the printed link", () => {
  const made = { url: "http://127.0.0.1:8730", key: "k", tty: true, adminTokenSet: false, printKey: false };

  it("holds a key made at this start on a terminal, in the fragment", () => {
    expect(roomLink(made)).toBe("http://127.0.0.1:8730/#key=k");
  });

  it("leaves the key out where the output may be kept, unless told to print it", () => {
    expect(roomLink({ ...made, tty: false })).toBe("http://127.0.0.1:8730/");
    expect(roomLink({ ...made, tty: false, printKey: true })).toBe("http://127.0.0.1:8730/#key=k");
  });

  it("never shows the operator's own token", () => {
    expect(roomLink({ ...made, adminTokenSet: true, printKey: true })).toBe("http://127.0.0.1:8730/");
  });

  it("keeps the path of a public address", () => {
    expect(roomLink({ ...made, url: "https://acme.example/troupe/" })).toBe("https://acme.example/troupe/#key=k");
  });
});
