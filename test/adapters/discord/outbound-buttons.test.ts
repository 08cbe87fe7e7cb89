import { describe, expect, it } from "vitest";
import { customIdOf, readCustomId } from "../../../adapters/discord/outbound/view-buttons.js";
import type { NoticeView, Reader, View } from "../../../src/index.js";

const ROOM = "discord:1:2";

function readerOf(...notices: readonly Pick<NoticeView, "id" | "view">[]): Pick<Reader, "room"> {
  const state = {
    id: ROOM,
    roster: [],
    host: null,
    notices: notices.map((notice) => ({ session: ROOM, state: "open" as const, ...notice })),
  };
  // Only the notices are read.
  return { room: async () => state as unknown as Awaited<ReturnType<Reader["room"]>> };
}

const viewOf = (value: string): View => ({ text: "", buttons: [{ action: "troupe:resume", value, label: "Resume" }] });

describe("the id of a button", () => {
  it("bears its action and value, and fits", () => {
    const id = customIdOf({ action: "troupe:continue", value: "budget|discord:1:2|7" });

    expect(id).toBe("troupe:continue|budget|discord:1:2|7");
    expect(customIdOf({ action: "troupe:resume", value: "x".repeat(500) }).length).toBeLessThanOrEqual(100);
  });

  it.each(["budget|discord:1:2|7", `pause|${"alpha@1234567890123456789~".repeat(8)}|3`, "with|bars#and\nlines"])(
    "is read again in every run, as long as what it belongs to is there: %s",
    async (value) => {
      const id = customIdOf({ action: "troupe:resume", value });
      const button = { action: "troupe:resume", value };

      expect(
        await readCustomId(id, ROOM, readerOf({ id: "other", view: { text: "" } }, { id: "n", view: viewOf(value) })),
      ).toEqual(button);
      // A notice that is over has no button any more, but is known by its id.
      expect(await readCustomId(id, ROOM, readerOf({ id: value, view: { text: "" } }))).toEqual(button);
    },
  );

  it("that belongs to nothing any more, or is another app's, is none", async () => {
    const id = customIdOf({ action: "troupe:resume", value: "x".repeat(500) });

    expect(await readCustomId(id, ROOM, readerOf())).toBeUndefined();
    expect(await readCustomId(id, ROOM, { room: async () => undefined })).toBeUndefined();
    for (const other of ["", "poll:1", "troupe:", "other|troupe:resume|1"])
      expect(await readCustomId(other, ROOM, readerOf())).toBeUndefined();
  });
});
