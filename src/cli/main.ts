#!/usr/bin/env node
import { run } from "./program.js";
import { endQuietlyOnClosedPipe } from "./terminal.js";

endQuietlyOnClosedPipe();
const { stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdout, stderr, env, cwd: process.cwd() });
