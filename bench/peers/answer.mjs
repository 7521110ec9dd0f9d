// What every peer has in common: its arguments, a pool, writers that share the turns, and its answer.
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

/** The fastest of several set-ups: a peer is shown at its best. */
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

export function answer(result) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
