const cleanups = new Set<() => void>();

// One listener serves all cleanups, because Node.js warns of a leak when an event has more than ten listeners.
process.once('exit', () => {
  for (const cleanUp of cleanups) cleanUp();
});

/** Calls `cleanUp` when the test process ends, unless the returned function was called before. */
export function atExit(cleanUp: () => void): () => void {
  cleanups.add(cleanUp);
  return () => void cleanups.delete(cleanUp);
}
