import { startEmbedded } from '#embedded/index.js';

// Starts both servers on the folder in its first argument, and runs until it gets a signal.
const embedded = await startEmbedded({
  dataDir: process.argv[2]!,
  eventStore: true,
  postgres: true,
  log: () => undefined,
  onCrash: () => undefined,
  onNotice: () => undefined,
  onGivenUp: () => undefined,
});
const alive = setInterval(() => undefined, 1_000);
process.once('SIGTERM', () => {
  clearInterval(alive);
  void embedded.stop().then(() => process.exit(0));
});
process.send?.({ ...embedded, pids: embedded.pids() });
