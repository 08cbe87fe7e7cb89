/** The largest request body, in bytes: the longest message with every character escaped, and room to spare. */
export const MAX_BODY_BYTES = 1_048_576;

/**
 * The request with a body of which no more than `max` bytes can come; `undefined` when it is longer. A body of unknown length is
 * read into memory for that.
 */
export async function readBounded(request: Request, max = MAX_BODY_BYTES): Promise<Request | undefined> {
  if (request.method === "GET" || request.method === "HEAD") return request;
  const length = request.headers.get("content-length");
  // The server reads no further than what is announced.
  if (length !== null) return Number(length) > max ? undefined : request;
  if (request.body === null) return request;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > max) return undefined;
    chunks.push(chunk);
  }
  return new Request(request.url, {
    method: request.method,
    headers: new Headers([...request.headers]),
    body: Buffer.concat(chunks),
  });
}
