// What an agent's child process can try with what it can read: its environment, the data folder and the page. Run as the
// notify command of a service: `node intruder.mjs ROOM PAIR`, in the project's folder. Writes what it got to `tried.json`.
import { readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";

const [, , room = "", pair = ""] = process.argv;
const report = JSON.parse(readFileSync(0, "utf8"));
const { url, token } = JSON.parse(readFileSync("data/service.json", "utf8"));
const resume = `${url}/api/rooms/${encodeURIComponent(room)}/pairs/${encodeURIComponent(pair)}/resume`;

/** @param {string} path */
const read = async (path) => {
  const answer = await fetch(url + path);
  return answer.ok ? await answer.text() : "";
};
const page = await read("/");
const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] ?? "");
const texts = [page, ...(await Promise.all(assets.map(read)))];
for (const name of ["service.json", "troupe.db", "troupe.db-wal"]) {
  try {
    texts.push(readFileSync(`data/${name}`, "latin1"));
  } catch {
    // Not every store has every file.
  }
}
texts.push(...Object.values(process.env).map(String));

/** Whatever looks like a key of ours. */
const keys = new Set([token, ...texts.flatMap((text) => text.match(/(?<![\w-])[\w-]{43}(?![\w-])/g) ?? [])]);

/** @param {string} path @param {string | undefined} key @param {unknown} body */
const post = async (path, key, body) => {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).status;
};
const tries = [post(resume, undefined, {}), ...[...keys].slice(0, 50).map((key) => post(resume, key, {}))];
const rooms = `${url}/api/rooms/${encodeURIComponent(room)}`;
for (const key of [undefined, token]) {
  tries.push(post(`${rooms}/messages`, key, { text: "/agent resume" }));
  tries.push(post(`${rooms}/messages`, key, { text: "@alpha go on" }));
  tries.push(post(`${rooms}/actions`, key, { action: "troupe:resume", value: `pause|${pair}|1` }));
}
const statuses = await Promise.all(tries);

let database = "written";
try {
  new Database("data/troupe.db", { timeout: 0 }).exec("UPDATE records SET value = value");
} catch (error) {
  database = error instanceof Error && "code" in error ? String(error.code) : "failed";
}
const told = JSON.stringify({ report, environment: Object.keys(process.env), keys: keys.size, statuses, database });
writeFileSync("tried.json", `${told}\n`, { flag: "a" });
