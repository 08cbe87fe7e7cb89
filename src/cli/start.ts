import { systemClock } from "../clock.js";
import { loadConfig } from "../config/load.js";
import { createService, type Service } from "../main.js";
import { EXIT } from "./failure.js";
import { configSources, type PlaceFlags } from "./places.js";
import type { Io } from "./terminal.js";

/** Signals that end the service, with the exit code of a process that such a signal ended. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
/** npm passes on a signal that the terminal has sent to the whole group already: the second of two so close is the first once more. */
const SAME_SIGNAL_MS = 250;

/** `troupe start`: runs the service until a signal ends it. Resolves with the exit code so far once it runs. */
export async function start(flags: PlaceFlags, io: Io): Promise<number> {
  const config = await loadConfig(configSources(flags, io));
  const service = createService({ config, ...io });
  stopOnSignals(service);
  stopOnFault(service);
  await service.start();
  return EXIT.ok;
}

/** The first signal ends in order, with exit code 0; a second one at once. What was accepted is on disk either way. */
function stopOnSignals(service: Service): void {
  let since: number | undefined;
  const onSignal = async (signal: keyof typeof SIGNALS) => {
    const now = systemClock.monotonic();
    if (since !== undefined && now - since < SAME_SIGNAL_MS) return;
    if (since !== undefined) process.exit(SIGNALS[signal]);
    since = now;
    service.logger.info({ signal }, "stopping; a second signal ends at once");
    await service.stop().catch((error: unknown) => {
      service.logger.error({ error }, "the service did not stop cleanly");
      process.exit(EXIT.failed);
    });
    process.exit(EXIT.ok);
  };
  process.on("SIGINT", () => void onSignal("SIGINT"));
  process.on("SIGTERM", () => void onSignal("SIGTERM"));
}

/** A fault of the program: nobody knows what still holds, so it ends; the next start goes on from the disk. */
function stopOnFault(service: Service): void {
  const onFault = (error: unknown) => {
    service.logger.error({ error }, "the program has a fault and ends");
    const end = () => process.exit(EXIT.failed);
    service.stop().then(end, end);
  };
  process.on("uncaughtException", onFault);
  process.on("unhandledRejection", onFault);
}
