import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CHROMIUM, openBrowser } from "./support/browser.js";
import { PERSONAS } from "./support/personas.js";
import { buildPage, removePage, type Service, startService } from "./support/service.js";

const ROOM = "web:local:main";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds serious or worse, as `rule: element`. */
async function serious(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    // Cast: the script above has put it there.
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`));
  });
}

const messages = (page: Page): Locator => page.locator(".message:not(.pending) .markdown");
const composer = (page: Page): Locator => page.getByRole("textbox", { name: "Message main" });

async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
}

/** Waits until the newest message reads like this. */
async function newest(page: Page, text: RegExp): Promise<void> {
  await messages(page).last().filter({ hasText: text }).waitFor();
}

describe.skipIf(CHROMIUM === undefined)("the web room in a browser", { timeout: 60_000 }, () => {
  let pageDir: string;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let service: Service;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    pageDir = await buildPage();
    browser = await openBrowser();
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    removePage(pageDir);
  });

  beforeEach(async () => {
    service = await startService({ pageDir, personas: PERSONAS });
    page = await browser.context.newPage();
    page.setDefaultTimeout(20_000);
    faults = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (line) => {
      if (line.text().includes("Content Security Policy")) faults.push(line.text());
    });
  });

  afterEach(async () => {
    await page.close();
    await service.stop();
    expect(faults).toEqual([]);
  });

  it("opens with the link, takes the key out of the address, and keeps it over a reload", async () => {
    await page.goto(service.link);
    await page.getByRole("heading", { name: "Welcome to main" }).waitFor();

    expect(page.url()).not.toContain(service.key);

    await page.reload();
    await page.getByRole("heading", { name: "Welcome to main" }).waitFor();
  });

  it("asks for a key, says when one is wrong, and takes a pasted link", async () => {
    await page.goto(service.url);
    const field = page.getByLabel("Key or link");

    await field.fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("This key is not valid here.").waitFor();
    await field.fill(service.link);
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { name: "Welcome to main" }).waitFor();
  });

  it("offers what to say first, and shows a person the chain of two personas", async () => {
    await page.goto(service.link);

    await page.getByRole("button", { name: /plan a launch/ }).click();
    await page.keyboard.press("Enter");
    await newest(page, /Numbers look fine/);

    expect(await page.locator(".message .sender").allTextContents()).toEqual(["You", "Alpha", "Beta"]);
    expect(await page.locator(".message table td").count()).toBe(6);
    expect(await page.locator(".message .mention").allTextContents()).toEqual(["@alpha", "@beta"]);
  });

  it("shows the used budget, continues by its button, and shows the same after a reload", async () => {
    await page.goto(service.link);
    await say(page, "@alpha argue with @beta about tabs");

    await page.getByText("Budget used up").waitFor();
    expect(await messages(page).count()).toBe(7);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("You pressed Continue").waitFor();
    await expect.poll(() => messages(page).count()).toBe(13);
    await page.getByText("Budget used up").nth(1).waitFor();

    const before = await page.locator(".log-inner").textContent();
    await page.reload();
    await expect.poll(() => page.locator(".log-inner").textContent()).toBe(before);
  });

  it("tells on demand whom a message woke, and why not", async () => {
    await page.goto(service.link);
    await say(page, "@alpha argue with @beta about tabs");
    await page.getByText("Budget used up").waitFor();

    await page.getByRole("button", { name: /Did not reach Alpha/ }).click();

    await page.getByText("It did not wake Alpha: the burst budget was used up.").waitFor();
    await page.getByRole("button", { name: /^Why did this message of You/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("It woke Alpha.").waitFor();
  });

  it("offers names and commands to the keyboard alone", async () => {
    await page.goto(service.link);
    await composer(page).focus();
    await page.keyboard.type("hi @");
    await page.getByRole("option", { name: /Beta/ }).waitFor();

    await page.keyboard.press("ArrowDown");
    const active = await composer(page).getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active}"]`).textContent()).toContain("Beta");
    await page.keyboard.press("Tab");
    expect(await composer(page).inputValue()).toBe("hi @beta ");

    await composer(page).fill("/agent li");
    await page.keyboard.press("Enter");
    expect(await composer(page).inputValue()).toBe("/agent list");
    await page.keyboard.press("Enter");
    await page.getByText("Only you can see this").waitFor();
    await page.getByText("Team test").waitFor();
  });

  it("starts a line with Shift and Enter, and keeps a draft for each room", async () => {
    await page.goto(service.link);
    await composer(page).focus();
    await page.keyboard.type("one");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("two");

    await page.getByLabel("Name of a new room").fill("Launch Plan");
    await page.keyboard.press("Enter");
    const other = page.getByRole("textbox", { name: "Message launch-plan" });
    await other.waitFor();
    expect(await other.inputValue()).toBe("");
    await page.goBack();

    await composer(page).waitFor();
    expect(await composer(page).inputValue()).toBe("one\ntwo");
  });

  it("loses and doubles nothing when the service goes away and comes back", async () => {
    await page.goto(service.link);
    await say(page, "first");
    await newest(page, /You said: first/);

    await service.cut();
    await page.getByText("The connection is lost.").waitFor();
    await service.say(ROOM, "while you were away");
    await service.troupe.idle();
    await service.restore();

    await newest(page, /You said: while you were away/);
    await page.getByText("The connection is lost.").waitFor({ state: "hidden" });
    expect(await messages(page).allTextContents()).toEqual([
      "first",
      "You said: first",
      "while you were away",
      "You said: while you were away",
    ]);
  });

  it("keeps a message that could not be sent, and sends it once when asked again", async () => {
    await page.goto(service.link);
    await say(page, "first");
    await newest(page, /You said: first/);
    await service.cut();

    await say(page, "second");
    await page.getByRole("alert").filter({ hasText: "Not sent." }).waitFor();
    await service.restore();
    await page.getByRole("button", { name: "Try again" }).click();

    await newest(page, /You said: second/);
    expect(await page.locator(".pending").count()).toBe(0);
    expect(await messages(page).count()).toBe(4);
  });

  it("shows who is thinking, and stops them", async () => {
    await page.goto(service.link);
    await say(page, "think about it");

    await page.getByText("Alpha is thinking").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();

    await page.getByText("Alpha is thinking").waitFor({ state: "hidden" });
  });

  it("shows a failed turn in one line, and asks again by its button", async () => {
    await page.goto(service.link);
    await say(page, "please fail");

    await page.getByText(/Alpha could not answer/).waitFor();
    await page.getByRole("button", { name: "Retry" }).click();

    await page.getByText("You pressed Retry").waitFor();
    await page.getByText(/You asked again/).waitFor();
  });

  it("shows what personas do besides talking when asked to", async () => {
    await page.goto(service.link);
    await say(page, "use a tool");
    await newest(page, /Looked around/);
    expect(await page.getByText("Alpha used list_room").count()).toBe(0);

    await page.getByLabel("Show what personas do besides talking").check();

    await page.getByText("Alpha used list_room").click();
    await page.getByText("list_room: asked").waitFor();
  });

  it("lets the reader look back in a long room without moving, and brings the newest back", async () => {
    for (let index = 1; index <= 230; index++) await service.say(ROOM, `filler ${index}`);
    await service.troupe.idle();
    await page.goto(service.link);
    await newest(page, /You said: filler 230/);

    await page.getByRole("button", { name: "Load older messages" }).click();
    await page.locator(".log").evaluate((log) => {
      log.scrollTop = 1_000;
    });
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    const place = await page.locator(".log").evaluate((log) => log.scrollTop);
    await service.say(ROOM, "news");
    await page.getByRole("button", { name: /2 new/ }).waitFor();

    expect(await page.locator(".log").evaluate((log) => log.scrollTop)).toBe(place);
    await page.getByRole("button", { name: /2 new/ }).click();
    await newest(page, /You said: news/);
  });

  it("pauses a quarrel and resumes it by its button", async () => {
    await service.stop();
    service = await startService({ pageDir, personas: PERSONAS, guard: true });
    await page.goto(service.link);
    await say(page, "@alpha argue with @beta about tabs");

    await page.getByText("Pair paused").waitFor();
    await page.getByRole("button", { name: "Resume", exact: true }).click();

    await page.getByText("Pair resumed").waitFor();
  });

  it("is a page without serious barriers, light and dark, wide and narrow, full and empty", async () => {
    await page.goto(service.url);
    expect(await serious(page)).toEqual([]);
    await page.goto(service.link);
    await page.reload();
    await page.getByRole("heading", { name: "Welcome to main" }).waitFor();
    expect(await serious(page)).toEqual([]);
    await say(page, "@alpha plan a launch");
    await newest(page, /Numbers look fine/);
    await say(page, "@alpha argue with @beta about tabs");
    await page.getByText("Budget used up").waitFor();
    await say(page, "/agent room");
    await page.getByText("Only you can see this").waitFor();
    await page.locator(".message-tools button").last().click();

    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1_280, 390]) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 844 });
        await composer(page).fill("@");
        await page.getByRole("option").first().waitFor();
        expect(await serious(page)).toEqual([]);
      }
    }
  });

  it("fits a telephone: rooms and people come in from the sides and leave with Escape", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(service.link);
    const toggle = page.getByRole("button", { name: "Rooms", exact: true });
    const rooms = page.getByRole("navigation", { name: "Rooms" });

    expect(await rooms.isVisible()).toBe(false);
    await toggle.click();
    await rooms.waitFor();
    expect(await serious(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await rooms.waitFor({ state: "hidden" });
    expect(await toggle.evaluate((button) => button === document.activeElement)).toBe(true);

    await page.getByRole("button", { name: "Who is here, and settings" }).click();
    await page.getByText("Plans work and asks others for facts.").waitFor();
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isWide).toBe(false);
  });
});
