// What all peers share: arguments, a connection pool, a function that divides turns among concurrent
// writers, and the output of the result.
import { readFileSync } from 'node:fs';
import pg from 'pg';

export const args = JSON.parse(readFileSync(0, 'utf8'));

export const poolOf = (max) => new pg.Pool({ connectionString: args.postgresUrl, max });

export async function timedTurns(count, writers, turn) {
  let next = 0;
  const write = async (writer) => {
    while (next < count) await turn(next++, writer);
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return performance.now() - began;
}

/** Returns the fastest of several set-ups, so that a peer is shown at its best. */
export async function bestOf(setups, run) {
  let best;
  for (const setup of setups) {
    const result = await run(setup);
    if (best === undefined || result.count / result.ms > best.count / best.ms) best = result;
  }
  return best;
}

export const note = (index) =>
  `observation ${index}: the customer asked to move the reservation to the following week, again`;

/** Makes preferences, each with a unique word. The product gets the same texts. */
export function preferences(count) {
  const things = ['coffee', 'trains', 'maps', 'rivers', 'letters', 'paper', 'music', 'chess'];
  let state = 7;
  const thing = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return things[Math.floor((state / 2 ** 32) * things.length)];
  };
  return Array.from({ length: count }, (_, i) => `I prefer ${thing()} to ${thing()} and word${i}`);
}

export function answer(result) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
