/** Orders texts by their UTF-8 bytes, as every store's index does. JavaScript's own `<` compares UTF-16 units. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
