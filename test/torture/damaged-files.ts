import { damageStores, randomTrials } from '#test/support/store-damage.js';

/** The flips and cuts of a run of 30 minutes or more. */
const FULL_RUN = 10_000;
const FULL_RUN_MINUTES = 30;

/** The number of flips and cuts for a run of this length. */
export const damagesIn = (minutes: number): number =>
  Math.ceil(FULL_RUN * Math.min(1, minutes / FULL_RUN_MINUTES));

/**
 * Damages the files of small stores, one flip or cut at a time. Returns one text for each damage that is
 * neither harmless, nor refused, nor named.
 */
export async function damageFiles(seed: number, count: number): Promise<readonly string[]> {
  const { harmless, refused, named, wrong } = await damageStores(randomTrials(seed, count));
  process.stdout.write(
    `Damaged files: ${count} flips and cuts: ${harmless} harmless, ${refused} refused, ${named} named, ${wrong.length} wrong.\n`,
  );
  return wrong;
}
