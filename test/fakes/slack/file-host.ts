import type { IncomingMessage, ServerResponse } from "node:http";
import { isRecord } from "./wire.js";
import type { World } from "./world.js";

/** Hosts the team's files: a download without a token that may read files gets a sign-in page, as Slack gives. */
export function serveFile(world: World, request: IncomingMessage, response: ServerResponse): void {
  const [, place = "", ...rest] = (request.url ?? "").split("/").slice(1);
  const file = world.files.find(place.split("-").at(-1) ?? "");
  const token = request.headers.authorization?.replace(/^Bearer /, "");
  const app = world.workspace.apps.find((it) => it.token === token);
  const isAllowed = app?.scopes.has("files:read") && !app.isRevoked && !app.isUninstalled;
  const status = file === undefined ? 404 : isAllowed && file.redirectsTo ? 302 : 200;
  const name = file?.name ?? decodeURIComponent(rest.at(-1) ?? "");
  world.files.downloads.push({ host: "slack", file: name, token: token && (app?.name ?? "unknown"), status });
  world.recorder.changed();
  if (!file) response.writeHead(404).end();
  else if (!isAllowed)
    response.writeHead(200, { "content-type": "text/html" }).end("<!DOCTYPE html><title>Sign in</title>");
  else if (file.redirectsTo) response.writeHead(302, { location: file.redirectsTo }).end();
  else response.writeHead(200, { "content-type": file.mimetype }).end(file.bytes);
}

/** Takes the bytes of an upload, bare or as the one file of a form. */
export async function receiveUpload(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<void> {
  const id = (request.url ?? "").split("/").at(-1) ?? "";
  const bytes = await bytesOf(request.headers["content-type"] ?? "", body);
  const isTaken = world.files.receive(id, bytes);
  response.writeHead(isTaken ? 200 : 500).end(isTaken ? `OK - ${bytes.byteLength}` : "error");
}

async function bytesOf(contentType: string, body: Buffer): Promise<Uint8Array> {
  if (!contentType.startsWith("multipart/form-data")) return body;
  const form = await new Response(body, { headers: { "content-type": contentType } }).formData();
  for (const value of form.values()) {
    if (isRecord(value) || value instanceof Blob) return new Uint8Array(await (value as Blob).arrayBuffer());
  }
  return new Uint8Array();
}
