import type { Board } from "./board.js";
import type { Courier } from "./courier.js";
import type { Faults } from "./faults.js";
import type { Feed } from "./feed.js";
import type { Files } from "./files.js";
import type { Interactions } from "./interactions.js";
import type { Limiter } from "./limits.js";
import type { Recorder } from "./recorder.js";
import type { Sockets } from "./socket-mode.js";
import type { Workspace } from "./workspace.js";

/** The "is thinking…" line of one thread. */
export interface ThreadStatus {
  readonly text: string;
  readonly username: string | undefined;
  readonly app: string;
  readonly at: number;
}

/** Everything that a method of the Web API can reach. */
export interface World {
  readonly workspace: Workspace;
  readonly courier: Courier;
  readonly feed: Feed;
  readonly board: Board;
  readonly files: Files;
  readonly interactions: Interactions;
  readonly sockets: Sockets;
  readonly limiter: Limiter;
  readonly faults: Faults;
  readonly recorder: Recorder;
  /** By channel id and thread, as `C1 1700000000.000001`. */
  readonly statuses: Map<string, ThreadStatus>;
  /** The server's own address, without a slash at the end. */
  readonly url: () => string;
}
