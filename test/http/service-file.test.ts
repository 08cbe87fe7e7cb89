import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readServiceFile, removeServiceFile, writeServiceFile } from "../../src/http/service-file.js";

const SERVICE = { url: "http://127.0.0.1:8730", token: "read-only", pid: 4711 };

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "troupe-data-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe("service.json", () => {
  it("is read back as written, by its owner only, and leaves nothing beside it", async () => {
    const data = dataFolder();

    await writeServiceFile(data, SERVICE);

    expect(await readServiceFile(data)).toEqual(SERVICE);
    expect(statSync(join(data, "service.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(data)).toEqual(["service.json"]);
  });

  it("replaces one that a killed service left, whatever its mode", async () => {
    const data = dataFolder();
    writeFileSync(join(data, "service.json"), "{", { mode: 0o644 });

    await writeServiceFile(data, SERVICE);

    expect(JSON.parse(readFileSync(join(data, "service.json"), "utf8"))).toEqual(SERVICE);
    expect(statSync(join(data, "service.json")).mode & 0o777).toBe(0o600);
  });

  it.each(["", "{", "[]", '{"url":"http://127.0.0.1:8730"}', '{"url":"x","token":"","pid":0}'])(
    "reads %j as no service",
    async (text) => {
      const data = dataFolder();
      writeFileSync(join(data, "service.json"), text);

      expect(await readServiceFile(data)).toBeUndefined();
    },
  );

  it("reads a folder without one as no service", async () => {
    expect(await readServiceFile(dataFolder())).toBeUndefined();
  });

  it("is removed by the service that wrote it and left alone by any other", async () => {
    const data = dataFolder();
    await writeServiceFile(data, SERVICE);

    await removeServiceFile(data, "an older service's");
    expect(await readServiceFile(data)).toEqual(SERVICE);
    await removeServiceFile(data, SERVICE.token);
    await removeServiceFile(data, SERVICE.token);

    expect(readdirSync(data)).toEqual([]);
  });

  it("rejects when the folder is not there", async () => {
    await expect(writeServiceFile(join(dataFolder(), "missing"), SERVICE)).rejects.toMatchObject({ code: "ENOENT" });
  });
});
