import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPage, removePage } from "./support/service.js";

describe("the built page", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await buildPage();
  }, 60_000);

  afterAll(() => removePage(folder));

  it("weighs at most 150 kB as it travels", () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());

    const sizes = files.map((file) => gzipSync(readFileSync(join(file.parentPath, file.name))).length);

    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
  });

  it("has no inline script or style, and asks nobody else for anything", () => {
    const html = readFileSync(join(folder, "index.html"), "utf8");

    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|data:/i);
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) expect(address).toMatch(/^\.\/assets\/[\w-]+\.(js|css|svg)$/);
  });
});
