// Loaded before a program: writes every module that it asks for to the file that IMPORTS_LOG names, one a line.
import { appendFileSync } from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

if (isMainThread) register(import.meta.url);

/** @type {import("node:module").ResolveHook} */
export async function resolve(specifier, context, next) {
  appendFileSync(process.env.IMPORTS_LOG ?? "/dev/null", `${specifier}\n`);
  return next(specifier, context);
}
