import { createHmac, timingSafeEqual } from "node:crypto";

/** What a request says of itself, as it came. */
export interface Signed {
  readonly body: string;
  /** `v0=` and an HMAC in hexadecimal digits. */
  readonly signature: string;
  /** Seconds since the epoch. */
  readonly timestamp: string;
}

const OLDEST_S = 5 * 60;

/** Whether Slack has signed the request with this secret, and not too long before `now` (milliseconds). */
export function isSigned({ body, signature, timestamp }: Signed, secret: string, now: number): boolean {
  if (!/^\d{1,15}$/.test(timestamp) || Number(timestamp) < Math.floor(now / 1000) - OLDEST_S) return false;
  if (!/^v0=[0-9a-f]{64}$/.test(signature)) return false;
  const ours = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest();
  return timingSafeEqual(ours, Buffer.from(signature.slice("v0=".length), "hex"));
}
