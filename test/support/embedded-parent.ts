import { startEmbedded } from '#embedded/index.js';

// A process that starts both servers on the folder it is given, and stays until it is killed.
const embedded = await startEmbedded({
  dataDir: process.argv[2]!,
  eventStore: true,
  postgres: true,
  log: () => undefined,
  onCrash: () => undefined,
});
const alive = setInterval(() => undefined, 1_000);
process.once('SIGTERM', () => {
  clearInterval(alive);
  void embedded.stop().then(() => process.exit(0));
});
process.send?.({ ...embedded, pids: embedded.pids() });
