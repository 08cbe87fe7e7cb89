import { describe, expect, it } from "vitest";
import { createSemaphore } from "../../src/engine/semaphore.js";
import { settle } from "../support/fake-clock.js";

const never = new AbortController().signal;

/** Asks for a place and notes its name when it is in. */
function queueUp(semaphore: ReturnType<typeof createSemaphore>, entered: string[], name: string, signal = never) {
  const place = semaphore.acquire(signal);
  place.then(
    () => entered.push(name),
    () => entered.push(`${name} left`),
  );
  return place;
}

describe("a semaphore", () => {
  it("lets as many in as it has places, and the others in the order in which they came", async () => {
    const semaphore = createSemaphore(2);
    const entered: string[] = [];
    const first = queueUp(semaphore, entered, "a");
    for (const name of ["b", "c", "d"]) void queueUp(semaphore, entered, name);
    await settle(1);
    expect(entered).toEqual(["a", "b"]);

    (await first)();
    await settle(1);

    expect(entered).toEqual(["a", "b", "c"]);
  });

  it("takes a place back once, however often it is given back", async () => {
    const semaphore = createSemaphore(1);
    const entered: string[] = [];
    const leave = await semaphore.acquire(never);

    leave();
    leave();
    for (const name of ["a", "b"]) void queueUp(semaphore, entered, name);
    await settle(1);

    expect(entered).toEqual(["a"]);
  });

  it("lets whoever gives up out of the line, and keeps the places of the others", async () => {
    const semaphore = createSemaphore(1);
    const entered: string[] = [];
    const leave = await semaphore.acquire(never);
    const impatient = new AbortController();
    const gone = queueUp(semaphore, entered, "a", impatient.signal);
    void queueUp(semaphore, entered, "b");

    impatient.abort(new Error("too long"));
    await expect(gone).rejects.toThrow("too long");
    leave();
    await settle(1);

    expect(entered).toEqual(["a left", "b"]);
  });

  it("turns away who has given up before, also when there is a place", async () => {
    const semaphore = createSemaphore(1);

    await expect(semaphore.acquire(AbortSignal.abort(new Error("no")))).rejects.toThrow("no");
  });
});
