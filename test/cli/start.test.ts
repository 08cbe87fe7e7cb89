import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createProject, spawnCli, startCli, startService, writeIn } from "../support/cli.js";
import { call } from "../support/http-client.js";

const TOKEN = "an-operators-own-token-0123456789";

/** Reads what the system shows of a process to others. */
function processFile(pid: number, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, "utf8");
}

async function busyPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((done) => server.once("listening", done));
  // A TCP server's address is never a path.
  return (server.address() as AddressInfo).port;
}

describe("troupe start", { timeout: 60_000 }, () => {
  it("prints the link, is ready, and ends in order with 0 at SIGTERM", async () => {
    const project = createProject();
    const service = await startService(project);

    const ready = await call(service.port, "/readyz");
    const rooms = await call(service.port, "/api/rooms", { key: service.key });
    service.signal("SIGTERM");
    const { code, stdout } = await service.exited;

    expect(JSON.parse(ready.text)).toEqual({ ready: true, missing: [] });
    expect([rooms.status, rooms.text]).toEqual([200, '{"rooms":[]}']);
    expect(stdout).toBe(`Web room: ${service.url}/#key=${service.key}\n`);
    expect(code).toBe(0);
    expect(existsSync(join(project, "data/service.json"))).toBe(false);
  });

  it("ends in order at SIGINT too, also when the terminal and npm both pass it on", async () => {
    const service = await startService(createProject());

    service.signal("SIGINT");
    service.signal("SIGINT");
    const { code } = await service.exited;

    expect(code).toBe(0);
  });

  it("keeps the person's key out of files, arguments, environment and log", async () => {
    const project = createProject();
    const service = await startService(project, { TROUPE_LOG_LEVEL: "debug" });
    const file = join(project, "data/service.json");

    await call(service.port, "/api/rooms", { key: service.key });
    const written = readFileSync(file, "utf8");
    const shown = processFile(service.pid, "cmdline") + processFile(service.pid, "environ");
    service.signal("SIGTERM");
    const { stderr } = await service.exited;

    expect(statSync(join(project, "data")).mode & 0o077).toBe(0);
    expect(JSON.parse(written)).toEqual({ url: service.url, token: expect.any(String), pid: service.pid });
    expect(written + shown + stderr).not.toContain(service.key);
    expect(stderr).toContain('"level":"debug"');
    expect(stderr).not.toContain(JSON.parse(written).token);
  });

  it("leaves the key out of a link that goes to no terminal, and says how to get it", async () => {
    const running = startCli(["start", "--port", "0"], { cwd: createProject() });

    const [link] = await running.written(/^Web room: .*\n/m);
    const [hint] = await running.written(/the link is without its key.*\n/);

    expect(link).toMatch(/^Web room: http:\/\/127\.0\.0\.1:\d+\/\n$/);
    expect(hint).toContain("TROUPE_PRINT_KEY=1");
  });

  it("never prints an operator's own token", async () => {
    const env = { TROUPE_ADMIN_TOKEN: TOKEN, TROUPE_PRINT_KEY: "1", TROUPE_LOG_LEVEL: "debug" };
    const running = startCli(["start", "--port", "0"], { cwd: createProject(), env });

    const [, port] = await running.written(/^Web room: http:\/\/127\.0\.0\.1:(\d+)\/\n/m);
    const rooms = await call(Number(port), "/api/rooms", { key: TOKEN });
    running.signal("SIGTERM");
    const { code, stdout, stderr } = await running.exited;

    expect([code, rooms.status]).toEqual([0, 200]);
    expect(stdout + stderr).not.toContain(TOKEN);
  });

  it("takes flags before the environment", async () => {
    const project = createProject();
    const env = { TROUPE_PORT: "1", TROUPE_DATA_DIR: "from-environment" };

    await startService(project, env, ["--data", "from-flag"]);

    expect(existsSync(join(project, "from-flag/troupe.db"))).toBe(true);
    expect(existsSync(join(project, "from-environment"))).toBe(false);
  });
});

describe("A start that cannot be", { timeout: 60_000 }, () => {
  it("ends with 1 and names --port when the port is in use", async () => {
    const project = createProject();
    const port = await busyPort();

    const { code, stdout, stderr } = await spawnCli(["start", "--port", String(port)], { cwd: project });

    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(new RegExp(`^troupe: Port ${port} .*--port.*\n$`));
    expect(existsSync(join(project, "data/service.json"))).toBe(false);
  });

  it("ends with 1 and the mend when another process has the data folder", async () => {
    const project = createProject();
    const first = await startService(project);

    const { code, stderr } = await spawnCli(["start", "--port", "0"], { cwd: project });
    const ready = await call(first.port, "/readyz");

    expect(code).toBe(1);
    expect(stderr).toMatch(/^troupe: the data folder .* is in use by another process: .*--data\n$/);
    expect(ready.status).toBe(200);
    expect(existsSync(join(project, "data/service.json"))).toBe(true);
  });

  it("ends with 1 and the mend when the data folder may not be written", async () => {
    const project = createProject();
    mkdirSync(join(project, "data"));
    chmodSync(project, 0o755);
    chmodSync(join(project, "data"), 0o555);
    // Mode bits do not bind root.
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534 } : {};

    const { code, stdout, stderr } = await spawnCli(["start", "--port", "0"], { cwd: project, ...asNobody });

    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^troupe: the data folder .* is not writable .*--data\n$/);
  });

  it("ends with 1 before it listens beyond this machine without a token", async () => {
    const env = { TROUPE_HOST: "0.0.0.0" };

    const { code, stderr } = await spawnCli(["start", "--port", "0"], { cwd: createProject(), env });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^troupe: .*TROUPE_ADMIN_TOKEN.*\n$/);
  });

  it("ends with 1 and every problem of the configuration", async () => {
    const project = createProject({ "troupe.yaml": "taem: ours\nfanuot: 2\n" });

    const { code, stderr } = await spawnCli(["start", "--port", "0"], { cwd: project });

    expect(code).toBe(1);
    expect(stderr.split("\n").map((line) => line.split(": ")[0])).toEqual(["troupe.yaml:1:1", "troupe.yaml:2:1", ""]);
    expect(existsSync(join(project, "data"))).toBe(false);
  });

  it("ends with 1 and the mend when the store is no database", async () => {
    const project = createProject();
    writeIn(project, "data/troupe.db", "no database ".repeat(1_000));

    const { code, stderr } = await spawnCli(["start", "--port", "0"], { cwd: project });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^troupe: troupe\.db in the data folder .* restore a backup .*\n$/);
  });
});
