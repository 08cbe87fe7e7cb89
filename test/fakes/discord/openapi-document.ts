import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isRecord, type Json } from "./wire.js";

/** Where Discord's own document lies: beside the checkout, or where the environment says. */
export function openapiPath(env: NodeJS.ProcessEnv = process.env): string {
  const beside = fileURLToPath(new URL("../../../../shared/data/discord-openapi.json", import.meta.url));
  return env.DISCORD_OPENAPI ?? beside;
}

/** Why the contract cannot be checked here, or nothing. In CI that is no excuse. */
export function openapiExcuse(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const path = openapiPath(env);
  if (existsSync(path)) return undefined;
  const reason = `there is no ${path}: lay Discord's OpenAPI document there, or name it in DISCORD_OPENAPI`;
  if (env.CI === "true") throw new Error(`The Discord contract check has to run in CI, and ${reason}.`);
  return reason;
}

/** Discord's OpenAPI document. */
export function readOpenapi(): Json {
  const parsed: unknown = JSON.parse(readFileSync(openapiPath(), "utf8"));
  if (!isRecord(parsed) || !isRecord(parsed.paths)) throw new Error(`${openapiPath()} is no OpenAPI document`);
  return parsed;
}
