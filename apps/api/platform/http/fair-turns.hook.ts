import type { onRequestHookHandler } from 'fastify';

/** The time in ms during which requests may start in one turn of the event loop. */
const START_MS = 10;

/**
 * Makes a hook that starts requests for 10 ms of each turn of the event loop. Later requests start in the
 * next turns, in their order. Without the limit, one turn runs every request that has arrived; 64 batches
 * take half a second, and the projector, which needs several turns to write a slice, falls behind.
 */
export function fairTurnsHook(): onRequestHookHandler {
  let turnBegan: number | undefined;
  const start = (done: () => void): void => {
    if (turnBegan === undefined) {
      turnBegan = performance.now();
      setImmediate(() => (turnBegan = undefined));
    } else if (performance.now() - turnBegan > START_MS) {
      setImmediate(start, done);
      return;
    }
    done();
  };
  return (_request, _reply, done) => start(done);
}
