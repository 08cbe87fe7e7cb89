import { describe, expect, it } from "vitest";
import { createLanes } from "../../../adapters/discord/inbound/queue.js";
import { createFakeClock, settle } from "../../support/fake-clock.js";
import { createLogLines } from "../../support/log-lines.js";

function openLanes() {
  const clock = createFakeClock();
  const lanes = createLanes({ clock, logger: createLogLines() });
  const done: string[] = [];
  const lost: string[] = [];
  return { clock, lanes, done, lost };
}

/** Something that ends when a test says so. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("work in lanes", () => {
  it("is done in order within a lane, while other lanes go on", async () => {
    const { lanes, done } = openLanes();
    const { open, opened } = gate();
    const note = (name: string) => async () => void done.push(name);

    lanes.add(
      "a",
      () => opened.then(note("a1")),
      () => {},
    );
    lanes.add("a", note("a2"), () => {});
    lanes.add("b", note("b1"), () => {});
    await settle();
    expect(done).toEqual(["b1"]);
    open();
    await settle();

    expect(done).toEqual(["b1", "a1", "a2"]);
    expect(lanes.size).toBe(0);
  });

  it("that fails is tried again a few times, holding its lane up, and is then given up", async () => {
    const { clock, lanes, done, lost } = openLanes();
    let tries = 0;
    const fail = async () => {
      tries++;
      throw new Error("the disk is full");
    };

    lanes.add("a", fail, () => lost.push("a1"));
    lanes.add(
      "a",
      async () => void done.push("a2"),
      () => {},
    );
    await settle();
    expect([tries, done]).toEqual([1, []]);
    await clock.advance(60_000);

    expect([tries, lost, done]).toEqual([4, ["a1"], ["a2"]]);
  });

  it("is refused when there is too much already, and after the end", async () => {
    const { lanes } = openLanes();
    const { open, opened } = gate();
    let taken = 0;
    while (
      lanes.add(
        "a",
        () => opened,
        () => {},
      )
    )
      taken++;

    expect(taken).toBe(5_000);
    open();
    await lanes.close(1_000);
    expect(lanes.size).toBe(0);
    expect(
      lanes.add(
        "a",
        async () => {},
        () => {},
      ),
    ).toBe(false);
  });

  it("that hangs does not hold the end up for longer than the deadline", async () => {
    const { clock, lanes } = openLanes();
    lanes.add(
      "a",
      () => new Promise(() => {}),
      () => {},
    );
    let isClosed = false;

    const closing = lanes.close(2_000).then(() => {
      isClosed = true;
    });
    await clock.advance(1_999);
    expect(isClosed).toBe(false);
    await clock.advance(1);
    await closing;
  });
});
