import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const root = resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(resolve(root, file), "utf8");

interface Instruction {
  readonly name: string;
  readonly args: string;
}

/** The instructions of a Dockerfile, continuation lines joined and comments left out. */
const instructions: readonly Instruction[] = read("Dockerfile")
  .replace(/^\s*#.*$/gm, "")
  .replace(/\\\n\s*/g, " ")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => {
    const [name = "", ...rest] = line.split(" ");
    return { name, args: rest.join(" ").trim() };
  });

const argsOf = (name: string, from = instructions) => from.filter((i) => i.name === name).map(({ args }) => args);
const finalStage = instructions.slice(instructions.findLastIndex(({ name }) => name === "FROM"));

describe("The Dockerfile", () => {
  it("uses only instructions that Docker knows", () => {
    const known = ["FROM", "RUN", "WORKDIR", "COPY", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"];

    expect(instructions.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it("pins every base image to one version of Node or to an earlier stage", () => {
    const stages = argsOf("FROM").flatMap((args) => args.match(/ AS (\S+)$/)?.slice(1) ?? []);

    const unpinned = argsOf("FROM")
      .map((args) => args.split(" ")[0] ?? "")
      .filter((base) => !stages.includes(base) && !/^node:\d+\.\d+\.\d+-bookworm-slim$/.test(base));

    expect(unpinned).toEqual([]);
  });

  it("installs from the lock file, and for the service without development packages", () => {
    expect(argsOf("RUN").filter((args) => /npm (install|i)\b/.test(args))).toEqual([]);
    expect(argsOf("RUN")).toContain("npm ci --omit=dev");
  });

  it("copies no sources, tests or compilers into the last stage", () => {
    const copied = argsOf("COPY", finalStage);

    expect(copied.every((args) => args.startsWith("--from="))).toBe(true);
    expect(argsOf("RUN", finalStage).filter((args) => args.includes("apt-get"))).toEqual([]);
  });

  it("runs as a numbered user that is not root, chosen after the last RUN", () => {
    const uid = Number(argsOf("USER", finalStage).at(-1)?.split(":")[0]);
    const order = finalStage.map(({ name }) => name);

    expect(uid).toBeGreaterThan(0);
    expect(order.lastIndexOf("USER")).toBeGreaterThan(order.lastIndexOf("RUN"));
  });

  it("keeps its data in a volume that the user owns, and says how to check its health", () => {
    expect(argsOf("VOLUME", finalStage)).toEqual(['["/data"]']);
    expect(argsOf("ENV", finalStage).join(" ")).toContain("TROUPE_DATA_DIR=/data");
    expect(argsOf("RUN", finalStage).join(" ")).toContain("chown 10001:10001 /data");
    expect(argsOf("HEALTHCHECK", finalStage).join(" ")).toContain("/healthz");
  });

  it("holds no secret, not even a default one", () => {
    expect(argsOf("ENV").join(" ")).not.toMatch(/TOKEN|KEY|SECRET|PASSWORD/);
    expect(argsOf("ARG")).toEqual([]);
  });

  it("writes every command and health check in exec form", () => {
    const forms = [
      ...argsOf("CMD", finalStage),
      ...argsOf("HEALTHCHECK", finalStage).map((a) => a.replace(/^.*? CMD /, "")),
    ];

    for (const form of forms) expect(z.array(z.string()).min(1).parse(JSON.parse(form))).not.toEqual([]);
  });

  it("sees only the files that .dockerignore lets in, and each of them is copied", () => {
    const [first, ...rest] = read(".dockerignore").trim().split("\n");
    const copied = argsOf("COPY")
      .filter((args) => !args.startsWith("--from="))
      .join(" ");

    expect(first).toBe("*");
    for (const line of rest) expect(` ${copied}`).toContain(` ${line.slice(1)}`);
  });
});

describe("compose.yaml", () => {
  const compose = z
    .object({
      services: z.object({
        troupe: z.object({
          environment: z.record(z.string(), z.string()),
          ports: z.array(z.string()),
          volumes: z.array(z.string()),
          read_only: z.boolean(),
          tmpfs: z.array(z.string()),
          cap_drop: z.array(z.string()),
          security_opt: z.array(z.string()),
          healthcheck: z.object({ test: z.array(z.string()) }),
        }),
      }),
      volumes: z.record(z.string(), z.unknown()),
    })
    .parse(parse(read("compose.yaml")));
  const { troupe } = compose.services;

  it("refuses to start without an admin token", () => {
    expect(troupe.environment.TROUPE_ADMIN_TOKEN).toMatch(/^\$\{TROUPE_ADMIN_TOKEN:\?.+\}$/);
  });

  it("opens the port to this machine only", () => {
    expect(troupe.ports).toEqual(["127.0.0.1:8730:8730"]);
  });

  it("keeps the data in a named volume", () => {
    expect(troupe.volumes).toEqual(["data:/data"]);
    expect(Object.keys(compose.volumes)).toEqual(["data"]);
  });

  it("gives the service nothing that it could change or gain rights with", () => {
    expect(troupe.read_only).toBe(true);
    expect(troupe.tmpfs).toEqual(["/tmp"]);
    expect(troupe.cap_drop).toEqual(["ALL"]);
    expect(troupe.security_opt).toContain("no-new-privileges:true");
  });

  it("checks the service's health", () => {
    expect(troupe.healthcheck.test.join(" ")).toContain("/healthz");
  });
});
