import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Projection } from '#read-model/projection.js';
import { productProjections } from '#test/support/product-projections.js';

/**
 * The version of each read model, and the start of the SHA-256 of its tables. An installation fills a read model anew
 * only if the version is another one, so tables that change need the next version: change both here.
 */
const TABLES: Readonly<Record<string, string>> = {
  action_requests: '12 400fd195ea83',
  checkpoints: '1 119f4ff1ee65',
  collisions: '2 355e066ee186',
  episodes: '5 726490f19a16',
  jobs: '8 8f59d108e47b',
  memories: '1 fba21e32b6ee',
  memory_items: '6 626a745afb87',
  notes: '2 610f1d5e46a9',
  obligations: '5 76bc6e27f5bb',
  oversight: '3 484f1a1d8bd4',
  reads: '2 0df1e586e3d6',
  recorded_times: '2 40e152b82236',
  reflective_logs: '3 65621929883f',
  sealed_values: '5 a817bec74743',
  search: '7 6cc43b5e980f',
  sem: '6 9af1f213ae35',
  threads: '3 f965a12f90be',
};

const statementsOf = ({ tables }: Projection): string =>
  tables.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

test('the tables of a read model change only together with its version', async () => {
  const now = (await productProjections()).map(
    (one) => [one.name, `${one.version} ${hashOf(statementsOf(one))}`] as const,
  );
  expect(Object.fromEntries(now)).toStrictEqual(TABLES);
});
