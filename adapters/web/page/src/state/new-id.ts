/** A new random id. Also where the page is served without encryption, and browsers keep `randomUUID` back. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
