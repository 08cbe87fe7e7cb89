import { createRecorder as createShared, type Recorder as Shared } from "../recorder.js";
import type { Json } from "./wire.js";

/** One request as it came in. Tokens stand here by the name of their app, never by value. */
interface SlackCall {
  readonly method: string;
  /** `troupe` for a bot token, `troupe (app)` for an app token, `unknown` or `none`. */
  readonly token: string;
  /** Where the token stood. */
  readonly tokenIn: readonly ("header" | "body")[];
  readonly args: Json;
  readonly at: number;
}

/** What Slack was asked, in order; and waiting for things to happen without a clock. */
export type Recorder = Shared<SlackCall>;

export function createRecorder(): Recorder {
  return createShared<SlackCall>("Slack");
}
