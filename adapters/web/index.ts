import type { Capabilities, Clock, HttpMount, Inbox, Logger, Platform, Reader } from "../../src/index.js";
import { roomOf } from "../../src/index.js";
import { createApi } from "./api.js";
import { createStreams } from "./events.js";
import { WEB_PERSON } from "./person.js";
import { mountPage } from "./static-page.js";

/** What the web room is built on. */
export interface WebAdapterOptions {
  readonly mount: HttpMount;
  readonly reader: Reader;
  /** The folder of the built page. */
  readonly pageDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const CAPABILITIES: Capabilities = {
  delivery: "log",
  threads: false,
  edit: true,
  ephemeral: true,
  buttons: true,
  typing: true,
  identity: true,
};

const SHOWS_THE_LOG = "the web room shows the log itself";

/**
 * The web room: a page, the HTTP interface below `/api` and one stream of events per open room, for rooms of all
 * platforms. Mounts its paths at once; messages are taken from `start` on, until then they are answered with 503.
 */
export function createWebAdapter({ mount, reader, pageDir, clock, logger }: WebAdapterOptions): Platform {
  let inbox: Inbox | undefined;
  const streams = createStreams({ reader, clock, logger });
  const api = createApi({ reader, streams, clock, inbox: () => inbox });
  mountPage(mount, pageDir);
  mount.mount("/api", (request, info) => api.fetch(request, info));

  const close = () => {
    inbox = undefined;
    streams.closeAll();
  };

  return {
    name: "web",
    capabilities: CAPABILITIES,
    async start(engine, signal) {
      signal.throwIfAborted();
      signal.addEventListener("abort", close, { once: true });
      inbox = engine;
    },
    status: () => (inbox ? { ready: true } : { ready: false, problem: "The web room has not been started." }),
    // The engine asks none of these three of a platform that shows the log.
    post: async () => ({ status: "rejected", reason: SHOWS_THE_LOG, retry: false }),
    find: async () => ({ status: "unknown" }),
    edit: async () => ({ status: "rejected", reason: SHOWS_THE_LOG, retry: false }),
    // Streams hear of typing from the reader, like the rooms of other platforms that they show.
    typing: async () => {},
    async ephemeral(session, to, view) {
      if (to === WEB_PERSON.id) streams.hint(roomOf(session), view);
    },
    async stop() {
      close();
    },
  };
}
