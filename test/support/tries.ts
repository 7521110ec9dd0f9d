/**
 * Returns how often a property is tried: as often as given in `npm run test:all`, and a fifth of that in other runs.
 */
export const tries = (times: number): number =>
  process.env['MACE_TEST_ALL'] ? times : Math.ceil(times / 5);
