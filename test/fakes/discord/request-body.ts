import type { IncomingMessage } from "node:http";
import { isRecord, type Json, Refusal } from "./wire.js";

/** A file of a multipart body. */
export interface UploadedFile {
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A body as it was read. */
export interface RequestBody {
  readonly json: unknown;
  readonly files: readonly UploadedFile[];
}

const NONE: RequestBody = { json: undefined, files: [] };

/** Reads JSON, or a form with `payload_json` and files; refuses what it cannot read. */
export async function readBody(request: IncomingMessage, body: Buffer): Promise<RequestBody> {
  if (body.length === 0) return NONE;
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("application/json")) return { json: parsed(body.toString("utf8")), files: [] };
  if (type.startsWith("multipart/form-data")) return readForm(type, body);
  throw new Refusal(400, 50109, "The request body contains invalid JSON.");
}

async function readForm(type: string, body: Buffer): Promise<RequestBody> {
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const files: UploadedFile[] = [];
  let json: unknown = {};
  for (const [field, value] of form) {
    if (typeof value === "string") {
      if (field === "payload_json") json = parsed(value);
      continue;
    }
    files.push({ field, name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) });
  }
  return { json, files };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 50109, "The request body contains invalid JSON.");
  }
}

/** The body as an object; empty for anything else. */
export function objectOf({ json }: RequestBody): Json {
  return isRecord(json) ? json : {};
}
