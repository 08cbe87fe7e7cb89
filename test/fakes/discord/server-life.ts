import type { Server } from "node:http";
import type { Gateway } from "./gateway.js";

/** A server that can be away for a while and come back under its address. */
export interface ServerLife {
  /** Breaks every connection off, and refuses new ones. */
  down(): Promise<void>;
  /** Takes connections again, at the same port. */
  up(): Promise<void>;
  close(): Promise<void>;
}

export function createServerLife(server: Server, port: number, gateway: Gateway): ServerLife {
  const stop = () =>
    new Promise<void>((resolve) => {
      if (!server.listening) return resolve();
      server.close(() => resolve());
      gateway.cut();
      server.closeAllConnections();
    });

  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject);
        resolve();
      });
    });

  /** Somebody else's connection may go out from our port just now. */
  async function listenAgain(attempts = 50): Promise<void> {
    try {
      await listen();
    } catch (error) {
      if (attempts === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
      await listenAgain(attempts - 1);
    }
  }

  return { down: stop, up: () => listenAgain(), close: stop };
}
