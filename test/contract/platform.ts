import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { platformOf, type SessionId } from "../../src/domain/ids.js";
import type { Identity } from "../../src/domain/persona.js";
import type { View } from "../../src/domain/view.js";
import type { Inbox, Platform, Post, PostBody } from "../../src/ports/platform.js";

/** What one person sees of a message. */
export interface Shown {
  /** As whom it was said. */
  readonly name: string;
  readonly text: string;
}

/** A platform under test, not started yet. */
export interface PlatformUnderTest {
  readonly platform: Platform;
  /** What the platform is given at its start. */
  readonly inbox: Inbox;
  /** Where it can post. */
  readonly session: SessionId;
  /** Two people who can see the session. */
  readonly people: readonly [string, string];
  /** What this person sees in the session, oldest first. */
  seen(person: string): Promise<readonly Shown[]>;
  /** The next start meets a platform that does not let us in. Absent: nothing can keep it from starting. */
  refuseStart?(): void;
  /** Ends what the harness itself runs. */
  close(): Promise<void>;
}

/** The same for one that posts. */
export interface PostingPlatform extends PlatformUnderTest {
  /** The platform takes the next post, and breaks the connection before it says so. */
  loseAnswer(): void;
  /** The next post is refused for good. */
  refusePost(): void;
  /** A place that is not there. */
  readonly nowhere: SessionId;
}

const ALPHA: Identity = { name: "alpha", displayName: "Alpha", avatar: ":compass:" };
const STOP_MS = 5_000;

/** What every platform promises that shows the logs themselves. */
export function logPlatformContract(name: string, open: () => Promise<PlatformUnderTest>): void {
  describe(`${name} as a platform`, () => {
    const at = underTest(open);
    lifeContract(at);

    it("says that it posts nothing, and refuses for good to do so", async () => {
      const { platform, session } = at();
      const post = textPost(session, "Hello.");
      const { signal } = new AbortController();

      expect(platform.capabilities.delivery).toBe("log");
      expect(await platform.post(post, signal)).toMatchObject({ status: "rejected", retry: false });
      expect(await platform.edit(post, ["m1"], signal)).toMatchObject({ status: "rejected", retry: false });
      expect(await platform.find(post, signal)).toEqual({ status: "unknown" });
    });
  });
}

/** What every platform promises that posts. */
export function postPlatformContract(name: string, open: () => Promise<PostingPlatform>): void {
  describe(`${name} as a platform`, () => {
    const at = underTest(open);
    lifeContract(at);
    postContract(at);
    lostAnswerContract(at);
    splitContract(at);
  });
}

type At<Tested extends PlatformUnderTest> = () => Tested;

function underTest<Tested extends PlatformUnderTest>(open: () => Promise<Tested>): At<Tested> {
  let tested: Tested | undefined;
  beforeEach(async () => {
    tested = await open();
  });
  afterEach(async () => {
    await tested?.platform.stop(STOP_MS);
    await tested?.close();
  });
  return () => {
    if (!tested) throw new Error("there is a platform only within a test");
    return tested;
  };
}

function started({ platform, inbox }: PlatformUnderTest): Promise<void> {
  return platform.start(inbox, new AbortController().signal);
}

function textPost(session: SessionId, text: string, over: Partial<Post> = {}): Post {
  return { id: "post-1", session, identity: ALPHA, body: { kind: "text", text }, part: 0, ...over };
}

function viewPost(session: SessionId, view: View, id = "view-1"): Post {
  return { id, session, body: { kind: "view", view }, part: 0 };
}

function lifeContract(at: At<PlatformUnderTest>): void {
  it("bears the name that its sessions begin with", () => {
    const { platform, session } = at();

    expect(platformOf(session)).toBe(platform.name);
  });

  it("is ready from its start to its stop, and else says what is missing", async () => {
    const tested = at();
    const { platform } = tested;

    const before = platform.status();
    await started(tested);
    const during = platform.status();
    await platform.stop(STOP_MS);
    const after = platform.status();

    expect(during).toEqual({ ready: true });
    for (const status of [before, after]) {
      expect(status).toEqual({ ready: false, problem: expect.stringMatching(/\S/) });
    }
  });

  it("may be stopped at any time, and as often as one likes", async () => {
    const tested = at();

    await tested.platform.stop(STOP_MS);
    await started(tested);
    await Promise.all([tested.platform.stop(STOP_MS), tested.platform.stop(STOP_MS)]);
    await tested.platform.stop(0);

    expect(tested.platform.status().ready).toBe(false);
  });

  it("can be started again after a stop", async () => {
    const tested = at();

    await started(tested);
    await tested.platform.stop(STOP_MS);
    await started(tested);

    expect(tested.platform.status()).toEqual({ ready: true });
  });

  it("does not start on a signal that has aborted", async () => {
    const { platform, inbox } = at();

    await expect(platform.start(inbox, AbortSignal.abort())).rejects.toThrow();

    expect(platform.status().ready).toBe(false);
  });

  it("rejects a start that is refused, and starts when it is let in", async () => {
    const tested = at();
    if (!tested.refuseStart) return;
    tested.refuseStart();

    await expect(started(tested)).rejects.toThrow(/\S/);
    expect(tested.platform.status().ready).toBe(false);
    await started(tested);

    expect(tested.platform.status()).toEqual({ ready: true });
  });

  it("takes typing as a kindness that cannot fail, before the start too", async () => {
    const tested = at();
    const { platform, session } = tested;

    await platform.typing(session, ALPHA, true);
    await started(tested);
    await platform.typing(session, ALPHA, true);
    await platform.typing(`${session}:none`, ALPHA, false);
    await platform.typing(session, ALPHA, false);

    expect(platform.status()).toEqual({ ready: true });
  });
}

function postContract(at: At<PostingPlatform>): void {
  const { signal } = new AbortController();

  /** Texts that the first person sees. */
  const texts = async ({ seen, people }: PostingPlatform) => (await seen(people[0])).map(({ text }) => text);

  it("posts a part as one message, under the persona's name where it can", async () => {
    const tested = at();
    const { platform, session } = tested;
    await started(tested);

    const posted = await platform.post(textPost(session, "Looks good."), signal);

    expect(posted).toEqual({ status: "posted", messageIds: [expect.stringMatching(/\S/)] });
    const shown = await tested.seen(tested.people[0]);
    expect(shown.map(({ text }) => text)).toEqual(["Looks good."]);
    if (platform.capabilities.identity) expect(shown[0]?.name).toBe("Alpha");
    expect(platform.capabilities.delivery).toBe("post");
  });

  it("keeps the order in which it was asked, and gives each post an id of its own", async () => {
    const tested = at();
    await started(tested);
    const ids: string[] = [];

    for (const [part, text] of ["One.", "Two.", "Three."].entries()) {
      const posted = await tested.platform.post(textPost(tested.session, text, { part }), signal);
      if (posted.status === "posted") ids.push(...posted.messageIds);
    }

    expect(new Set(ids).size).toBe(3);
    expect(await texts(tested)).toEqual(["One.", "Two.", "Three."]);
  });

  it("edits in place, the same way however often, and leaves the others alone", async () => {
    const tested = at();
    const { platform, session } = tested;
    if (!platform.capabilities.edit) return;
    await started(tested);
    const button = { action: "troupe:continue", value: "v1", label: "Continue" };
    const open: View = { title: "Budget", text: "Six of six are used up.", buttons: [button] };
    const done: View = { title: "Budget", text: "Somebody went on." };
    const posted = await platform.post(viewPost(session, open), signal);
    await platform.post(textPost(session, "Another."), signal);
    const ids = posted.status === "posted" ? posted.messageIds : [];

    for (const _ of [1, 2]) {
      const edited = await platform.edit(viewPost(session, done), ids, signal);
      expect(edited).toEqual({ status: "posted", messageIds: ids });
    }

    const shown = await texts(tested);
    expect(shown).toEqual([expect.stringContaining("Somebody went on."), "Another."]);
    expect(shown[0]).not.toContain("Six of six");
  });

  it("shows a view with its title, its text and its fields", async () => {
    const tested = at();
    await started(tested);
    const view: View = { title: "Room", text: "alpha is here.", fields: [{ label: "Burst", value: "2/6" }] };

    await tested.platform.post(viewPost(tested.session, view), signal);

    const [text = ""] = await texts(tested);
    for (const word of ["Room", "alpha is here.", "Burst", "2/6"]) expect(text).toContain(word);
  });

  it("whispers to one person only", async () => {
    const tested = at();
    const { platform, session, people } = tested;
    if (!platform.capabilities.ephemeral) return;
    await started(tested);

    await platform.ephemeral(session, people[0], { text: "Only for you." });

    expect((await tested.seen(people[0])).map(({ text }) => text)).toEqual([expect.stringContaining("Only for you.")]);
    expect(await tested.seen(people[1])).toEqual([]);
  });

  it("says no for good to what is refused for good, and posts nothing", async () => {
    const tested = at();
    await started(tested);
    tested.refusePost();

    const result = await tested.platform.post(textPost(tested.session, "Hello."), signal);

    expect(result).toEqual({ status: "rejected", reason: expect.stringMatching(/\S/), retry: false });
    expect(await texts(tested)).toEqual([]);
  });

  it("says no for good to a place that is not there", async () => {
    const tested = at();
    await started(tested);

    const result = await tested.platform.post(textPost(tested.nowhere, "Hello."), signal);

    expect(result).toMatchObject({ status: "rejected", retry: false });
  });
}

function lostAnswerContract(at: At<PostingPlatform>): void {
  const { signal } = new AbortController();

  it("calls a post ambiguous whose answer is lost, and then finds it by id and part", async () => {
    const tested = at();
    const { platform, session } = tested;
    await started(tested);
    await platform.post(textPost(session, "Part one."), signal);
    const second = textPost(session, "Part two.", { part: 1 });
    tested.loseAnswer();

    const lost = await platform.post(second, signal);
    const found = await platform.find({ ...second, attemptedAt: Date.now() }, signal);

    expect(lost.status).toBe("ambiguous");
    expect(found).toEqual({ status: "found", messageIds: [expect.stringMatching(/\S/)] });
    if (found.status !== "found" || !platform.capabilities.edit) return;
    await platform.edit({ ...second, body: { kind: "text", text: "Part two, mended." } }, found.messageIds, signal);
    expect((await tested.seen(tested.people[0])).map(({ text }) => text)).toEqual(["Part one.", "Part two, mended."]);
  });

  it("knows that a post was never made, though another part of it and others were", async () => {
    const tested = at();
    const { platform, session } = tested;
    await started(tested);
    await platform.post(textPost(session, "Same words."), signal);

    const [part, other] = [
      textPost(session, "Same words.", { part: 1 }),
      textPost(session, "Same words.", { id: "post-2" }),
    ];

    expect(await platform.find({ ...part, attemptedAt: Date.now() }, signal)).toEqual({ status: "absent" });
    expect(await platform.find({ ...other, attemptedAt: Date.now() }, signal)).toEqual({ status: "absent" });
  });
}

/** Numbered words in the shapes that texts of models have. */
const longText = fc
  .array(fc.constantFrom("plain", "list", "fence", "table", "wide", "heading"), { minLength: 1, maxLength: 12 })
  .map((shapes) => {
    let next = 0;
    const words = (count: number) => Array.from({ length: count }, () => `w${next++}x`);
    return shapes.map((shape) => paragraph(shape, words)).join("\n\n");
  });

function paragraph(shape: string, words: (count: number) => readonly string[]): string {
  switch (shape) {
    case "list":
      return words(40)
        .map((word) => `- **${word}** and`)
        .join("\n");
    case "fence":
      return ["```ts", ...words(120).map((word) => `const ${word} = 1;`), "```"].join("\n");
    case "table":
      return ["| a | b |", "| - | - |", ...words(20).map((word) => `| ${word} | b |`)].join("\n");
    case "wide":
      return words(900).join("_");
    case "heading":
      return `## ${words(3).join(" ")}`;
    default:
      return words(300).join(" ");
  }
}

function splitContract(at: At<PostingPlatform>): void {
  const { signal } = new AbortController();
  /** A cut may go through a word, and open a fence or repeat a table's head: numbers stay, whatever it does. */
  const numbersOf = (texts: readonly string[]) => texts.join("").replaceAll(/\D/g, "");
  const textOf = (body: PostBody) => (body.kind === "text" ? body.text : body.view.text);

  it("cuts a long text always in the same way, and loses nothing", () => {
    const { platform } = at();

    fc.assert(
      fc.property(longText, (text) => {
        const body: PostBody = { kind: "text", text };
        const parts = platform.split?.(body) ?? [body];

        expect(parts.length).toBeGreaterThan(0);
        expect(platform.split?.(body) ?? [body]).toEqual(parts);
        expect(numbersOf(parts.map(textOf))).toBe(numbersOf([text]));
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ["an empty text", ""],
    ["white space", " \n\n "],
  ])("makes at least one part, of %s too", (_, text) => {
    const { platform } = at();
    const body: PostBody = { kind: "text", text };

    expect((platform.split?.(body) ?? [body]).length).toBeGreaterThan(0);
  });

  it("can post every part that it makes, each as one message that holds what the part holds", async () => {
    const tested = at();
    await started(tested);
    const [text = ""] = fc.sample(
      longText.filter((sample) => sample.length > 20_000),
      { numRuns: 1, seed: 7 },
    );
    const body: PostBody = { kind: "text", text };
    const parts = tested.platform.split?.(body) ?? [body];

    for (const [part, one] of parts.entries()) {
      const posted = await tested.platform.post(textPost(tested.session, "", { body: one, part }), signal);
      expect(posted).toEqual({ status: "posted", messageIds: [expect.any(String)] });
    }

    const shown = (await tested.seen(tested.people[0])).map((message) => message.text);
    expect(shown).toHaveLength(parts.length);
    expect(numbersOf(shown)).toBe(numbersOf([text]));
  });
}
