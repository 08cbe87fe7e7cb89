import type { Board } from "./board.js";
import type { Cdn } from "./cdn.js";
import type { Faults } from "./faults.js";
import type { Feed } from "./feed.js";
import type { Gateway } from "./gateway.js";
import type { Interactions } from "./interactions.js";
import type { Limiter } from "./limits.js";
import type { Recorder } from "./recorder.js";
import type { Workspace } from "./workspace.js";

/** Someone's "is typing…" in a channel, as it was asked for. */
export interface Typing {
  readonly channelId: string;
  readonly app: string;
  readonly at: number;
}

/** Everything that a call of the REST API can reach. */
export interface World {
  readonly workspace: Workspace;
  readonly gateway: Gateway;
  readonly feed: Feed;
  readonly board: Board;
  readonly cdn: Cdn;
  readonly interactions: Interactions;
  readonly limiter: Limiter;
  readonly faults: Faults;
  readonly recorder: Recorder;
  readonly typings: Typing[];
  /** The server's own address, without a slash at the end. */
  readonly url: () => string;
  readonly wsUrl: () => string;
}
