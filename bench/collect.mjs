// Loaded first into each process that the Slack bench measures: at a signal it gives back what memory it can (`--expose-gc`).
process.on("SIGUSR2", () => globalThis.gc?.());
