import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelProvider } from "../../../src/brain/model-id.js";
import type { FileRef } from "../../../src/domain/entry.js";
import type { Turn } from "../../../src/ports/brain.js";
import { list, record } from "../../fakes/llm/wire.js";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";
import { type LlmHarness, modelTurn, openLlm } from "../../support/llm-harness.js";
import { endOf, eventsOf, messageFixture } from "../../support/turn-fixture.js";

let clock: FakeClock;
let llm: LlmHarness;
beforeEach(async () => {
  clock = createFakeClock();
  llm = await openLlm(clock, { skipWaits: true });
});
afterEach(() => llm.close());

const PNG = Buffer.from("89504e470d0a1a0a0000000d", "hex");
const BYTES: Readonly<Record<string, Buffer>> = {
  "a.png": PNG,
  "b.jpg": Buffer.from("ffd8ffe000104a46", "hex"),
  "c.gif": Buffer.from("GIF89a......"),
  "d.webp": Buffer.from("RIFF....WEBPVP8 "),
  "e.png": Buffer.from("no picture at all"),
  "f.txt": Buffer.from("words"),
};

function file(name: string, type = `image/${name.split(".")[1]}`, size = 12): FileRef {
  return { name, type, size, ref: name };
}

/** A turn whose waking message has these files. */
function turnWith(provider: ModelProvider, files: readonly FileRef[], over: Partial<Turn> = {}): Turn {
  const waking = messageFixture({ files });
  const load = async ({ ref }: FileRef) => BYTES[ref];
  return modelTurn(provider, {
    waking,
    view: async () => [{ entry: waking, own: false, waking: true }],
    load,
    ...over,
  });
}

/** What stands in the last message of the user side, whatever the protocol calls it. */
function lastParts(index = 0): readonly Record<string, unknown>[] {
  const body = record(llm.fake.requests[index]?.body);
  const messages = list(body.messages ?? body.input ?? body.contents).map(record);
  const last = messages.findLast(({ role }) => role === "user");
  return list(last?.content ?? last?.parts).map(record);
}

const run = async (turn: Turn) => endOf(await eventsOf(llm.brain.run(turn)));
const DATA = PNG.toString("base64");

describe("a picture that comes with the waking message", () => {
  it.each<[ModelProvider, unknown]>([
    ["anthropic", { type: "image", source: { type: "base64", media_type: "image/png", data: DATA } }],
    ["openai", { type: "input_image", image_url: `data:image/png;base64,${DATA}` }],
    ["google", { inlineData: { mimeType: "image/png", data: DATA } }],
    ["openai-compatible", { type: "image_url", image_url: { url: `data:image/png;base64,${DATA}` } }],
  ])("is shown to a model of %s, in front of why it was woken", async (provider, part) => {
    llm.fake.script(() => ({ text: "I see." }));

    expect((await run(turnWith(provider, [file("a.png")]))).text).toBe("I see.");

    const parts = lastParts();
    expect(parts).toContainEqual(part);
    expect(JSON.stringify(parts)).toContain("(file a.png, image/png, 1 kB)");
    expect(JSON.stringify(parts)).toContain("[room] It is");
  });

  it("is shown as what it is; what is none, or no type that all take, is only named", async () => {
    const files = ["b.jpg", "c.gif", "d.webp", "e.png"].map((name) => file(name));

    await run(turnWith("anthropic", [file("f.txt", "text/plain"), ...files, file("g.svg", "image/svg+xml")]));

    const parts = lastParts();
    const shown = parts.flatMap(({ source }) => (source === undefined ? [] : [record(source).media_type]));
    expect(shown).toEqual(["image/jpeg", "image/gif", "image/webp"]);
    for (const name of ["f.txt", "e.png", "g.svg"]) expect(JSON.stringify(parts)).toContain(`(file ${name},`);
  });

  it("is loaded up to four, and none that is too large", async () => {
    const asked: string[] = [];
    const load = async ({ ref }: FileRef, most: number) => {
      asked.push(`${ref} ${most}`);
      return PNG;
    };
    const files = [file("huge.png", "image/png", 4_000_000), ...["1", "2", "3", "4", "5"].map((n) => file(`${n}.png`))];

    await run(turnWith("anthropic", files, { load }));

    expect(asked.map((line) => line.split(" ")[0])).toEqual(["1.png", "2.png", "3.png", "4.png"]);
    expect(asked[0]).toBe("1.png 3700000");
  });

  it("that cannot be loaded costs the picture and nothing else", async () => {
    llm.fake.script(() => ({ text: "Fine." }));
    const load = () => Promise.reject(new Error("the host is away"));

    expect((await run(turnWith("openai", [file("a.png")], { load }))).text).toBe("Fine.");

    expect(JSON.stringify(lastParts())).not.toContain("input_image");
    expect(llm.log.lines).toContainEqual(expect.objectContaining({ message: "a picture could not be loaded" }));
  });

  it("is no part of what later turns are shown", async () => {
    const earlier = messageFixture({ files: [file("a.png")] });
    const waking = messageFixture({ id: "m2", seq: 2, text: "@alpha and now?" });
    const view: Turn["view"] = async () => [
      { entry: earlier, own: false },
      { entry: waking, own: false, waking: true },
    ];

    await run(modelTurn("anthropic", { waking, view, load: async () => PNG }));

    expect(JSON.stringify(lastParts())).toContain("(file a.png");
    expect(lastParts().some(({ type }) => type === "image")).toBe(false);
  });
});

describe("a model that takes no pictures", () => {
  it.each<[ModelProvider, number]>([
    ["anthropic", 400],
    ["openai", 413],
    ["google", 400],
    ["openai-compatible", 500],
  ])(
    "of %s gets the text alone when it answers with %i, and the next picture all the same",
    async (provider, status) => {
      llm.fake.script(() => ({ text: "Only words." }));
      llm.fake.fail({ kind: "status", status });

      expect((await run(turnWith(provider, [file("a.png")]))).text).toBe("Only words.");
      await run(turnWith(provider, [file("a.png")]));

      expect(llm.fake.requests.map(({ raw }) => raw.includes(DATA))).toEqual([true, false, true]);
      expect(JSON.stringify(lastParts(1))).toContain("cannot be shown to you");
    },
  );

  it("and runs locally is spared pictures for an hour", async () => {
    llm.fake.fail({ kind: "status", status: 400 });
    await run(turnWith("openai-compatible", [file("a.png")]));
    await run(turnWith("openai-compatible", [file("a.png")]));
    await clock.advance(61 * 60_000);
    await run(turnWith("openai-compatible", [file("a.png")]));

    expect(llm.fake.requests.map(({ raw }) => raw.includes(DATA))).toEqual([true, false, false, true]);
    expect(llm.log.lines.filter(({ message }) => message.startsWith("this model takes no pictures"))).toHaveLength(1);
  });

  it("is not held to be one where the call fails without them too", async () => {
    llm.fake.fail({ kind: "status", status: 400 }, { kind: "status", status: 400 });

    expect((await run(turnWith("openai", [file("a.png")]))).failure?.class).toBe("bad-request");
    await run(turnWith("openai", [file("a.png")]));

    expect(llm.fake.requests.at(-1)?.raw).toContain(DATA);
  });

  it("is not asked twice where the key is refused", async () => {
    llm.fake.fail({ kind: "status", status: 401 });

    expect((await run(turnWith("openai", [file("a.png")]))).failure?.class).toBe("auth");
    expect(llm.fake.requests).toHaveLength(1);
  });
});
