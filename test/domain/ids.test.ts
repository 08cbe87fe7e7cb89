import { describe, expect, it } from "vitest";
import { isSessionId, platformOf, roomOf, threadOf, threadSession } from "../../src/domain/ids.js";

describe("session ids", () => {
  it("of a thread tell the room, the thread and the platform", () => {
    expect(roomOf("slack:T1:C1:17.5")).toBe("slack:T1:C1");
    expect(threadOf("slack:T1:C1:17.5")).toBe("17.5");
    expect(platformOf("slack:T1:C1:17.5")).toBe("slack");
  });

  it("of the channel itself are the room's id, without a thread", () => {
    expect(roomOf("web:local:general")).toBe("web:local:general");
    expect(threadOf("web:local:general")).toBeUndefined();
    expect(platformOf("web:local:general")).toBe("web");
    expect(platformOf("web")).toBe("web");
  });

  it("are made of a room and a thread", () => {
    const session = threadSession("web:local:general", "t1");

    expect(session).toBe("web:local:general:t1");
    expect([roomOf(session), threadOf(session)]).toEqual(["web:local:general", "t1"]);
  });

  it("have three or four parts without spaces, the first in small letters", () => {
    for (const good of ["web:local:general", "discord:1:2:3", "a:b:c"]) expect(isSessionId(good), good).toBe(true);
    for (const bad of [
      "",
      "web",
      "web:local",
      "web:local:a:b:c",
      "Web:local:a",
      "web::a",
      "web:local:",
      "web:local:a:",
      "web:lo cal:a",
      "web:local:a\n",
    ]) {
      expect(isSessionId(bad), JSON.stringify(bad)).toBe(false);
    }
  });
});
