// Loaded first into each process that a bench measures: at a signal it gives back what memory it can (`--expose-gc`), and says what is left.
process.on("SIGUSR2", () => {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
