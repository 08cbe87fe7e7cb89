import { createRecorder as createShared, type Recorded, type Recorder as Shared } from "../recorder.js";

/** One request as it came in. A bot token stands here by the name of its app, never by value. */
interface DiscordCall {
  /** The operation, as Discord's OpenAPI document calls it; `unknown` for one that the fake does not know. */
  readonly method: string;
  readonly verb: string;
  /** Below `/api/v10`, as it came, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON, of a multipart body its `payload_json`; `undefined` without a body. */
  readonly body: unknown;
  readonly files: readonly { readonly field: string; readonly name: string; readonly size: number }[];
  /** The name of the token's app, `unknown`, or `none`. */
  readonly token: string;
  readonly userAgent: string | undefined;
  readonly at: number;
}

/** One request as it came in, and what became of it. */
export type DiscordRequest = DiscordCall & Recorded;

/** What Discord was asked, in order; and waiting for things to happen without a clock. */
export type Recorder = Shared<DiscordCall>;

export function createRecorder(): Recorder {
  return createShared<DiscordCall>("Discord");
}
