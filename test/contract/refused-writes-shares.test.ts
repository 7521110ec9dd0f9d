import { expect, test } from '@jest/globals';
import { QueueFile } from '#apps/api/storage-queue/queue-file.js';
import { MAX_OF_CALLER, QueueTable } from '#apps/api/storage-queue/queue-table.js';
import type { RefusedWrite } from '#platform/storage-queue/refused-writes.js';
import { Postgres } from '#read-model/postgres.js';
import { startEmptyPostgres } from '#test/support/servers.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const folder = temporaryFolder('queue');

const write = (caller: string, number: number, sealed = 'sealed'): RefusedWrite => ({
  ...{ command_id: `${caller} ${number}`, command: 'PutFact', keyed: true, caller, sealed },
  ...{ stream: 'sem-world/fact/refused/value', route: 'PUT /v1/sem/{key}', trace_id: 'trace' },
  refused_at: '2026-01-01T00:00:00.000Z',
});

test('the queue of refused writes keeps at most 1,000 of one caller, and has room for others', async () => {
  const server = await startEmptyPostgres();
  const postgres = new Postgres({ url: server.url });
  const table = new QueueTable(postgres);
  for (let n = 0; n < MAX_OF_CALLER; n += 1) await table.keep(write('greedy', n));
  expect(await table.count()).toBe(1_000);
  expect(await table.keep(write('greedy', MAX_OF_CALLER))).toBe(false);
  expect(await table.keep(write('greedy', 7))).toBe(true);
  expect(await table.keep(write('other', 1))).toBe(true);
  await postgres.close();
  await server.stop();
});

test('the file of refused writes keeps no more than a quarter for one caller, and has room for others', async () => {
  const file = await QueueFile.open(folder.path);
  const large = 'x'.repeat(500_000);
  const kept: boolean[] = [];
  for (let n = 0; n < 20; n += 1) kept.push(await file.keep(write('greedy', n, large)));
  expect(kept.filter((isKept) => isKept)).toHaveLength(4);
  expect(await file.keep(write('other', 1, large))).toBe(true);
  await file.close();
});
