import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { DiscordAttachment } from "./model.js";
import type { Workspace } from "./workspace.js";

/** A file as someone attaches it. */
export interface FileSeed {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  readonly contentType?: string;
  readonly description?: string;
}

/** One visit to the file host. */
export interface Download {
  readonly path: string;
  /** Discord's file host wants none; a bot token that comes here has leaked. */
  readonly authorization: string | undefined;
  readonly status: number;
}

/** The other host: files of messages, for everyone who has the address. */
export interface Cdn {
  readonly url: string;
  readonly downloads: readonly Download[];
  add(channelId: string, seed: FileSeed): DiscordAttachment;
  /** Addresses given out so far have expired. */
  expire(): void;
  /** The next downloads end in this instead: a status, a connection that breaks or never answers, or an answer without an end. */
  fail(how: number | "drop" | "hang" | "endless", times?: number): void;
  close(): Promise<void>;
}

export async function createCdn(workspace: Workspace): Promise<Cdn> {
  const files = new Map<string, DiscordAttachment>();
  const downloads: Download[] = [];
  const failing: (number | "drop" | "hang" | "endless")[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const file = files.get(path);
    const fault = failing.shift();
    const status = typeof fault === "number" ? fault : file ? 200 : 404;
    downloads.push({ path, authorization: request.headers.authorization, status });
    if (fault === "hang") return;
    if (fault === "drop") response.destroy();
    else if (status !== 200 || !file) response.writeHead(status).end();
    else serveFile(response, file, fault === "endless");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server's address is never a path.
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    downloads,
    add(channelId, { name, bytes, contentType, description }) {
      const id = workspace.mintId();
      const filename = name.replaceAll(/[^\w.-]+/g, "_");
      const path = `/attachments/${channelId}/${id}/${filename}?ex=1&is=1&hm=${id}`;
      const file = { id, filename, contentType, description, url: `${url}${path}`, bytes: Buffer.from(bytes) };
      files.set(path, file);
      return file;
    },
    expire: () => files.clear(),
    fail: (how, times = 1) => void failing.push(...Array.from({ length: times }, () => how)),
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function serveFile(response: ServerResponse, { contentType, bytes }: DiscordAttachment, isEndless: boolean): void {
  const type = contentType ?? "application/octet-stream";
  if (isEndless) pourInto(response, type);
  else response.writeHead(200, { "content-type": type, "content-length": bytes.length }).end(bytes);
}

/** An answer without an end. */
function pourInto(response: ServerResponse, type: string): void {
  response.writeHead(200, { "content-type": type });
  const pour = () => {
    let isDrained = true;
    while (isDrained && !response.destroyed) isDrained = response.write(Buffer.alloc(65_536));
  };
  response.on("drain", pour);
  pour();
}
