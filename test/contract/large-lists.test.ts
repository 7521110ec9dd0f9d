import { expect, test } from '@jest/globals';
import { SealedValues } from '#apps/api/privacy/sealed-values.js';
import type { Sealed } from '#domain/held.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { text } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';
import type { SubjectKeys } from '#subject-keys/subject-keys.js';
import { TEST_SEALS } from '#test/support/product-projections.js';

const TABLE = readTable('large.row', { key: ['id'], columns: { id: text(), body: text() } });
const turn = () => new Promise(setImmediate);

/** A row as pg returns it. */
function storedRow(number: number): object {
  const row = { id: `row ${number}`, body: 'x'.repeat(64 * 1024) };
  const event = { stream: 'rows', number, id: '', metadata: {} as EventMetadata };
  const stored = TABLE.stored(TEST_SEALS, { row, event }) as { seal: string };
  return { ...stored, seal: Buffer.from(stored.seal.slice(2), 'hex') };
}

test('many large rows are checked in several turns of the event loop', async () => {
  const rows = Array.from({ length: 400 }, (_, number) => storedRow(number));
  let isOpen = false;
  const opened = TABLE.open(TEST_SEALS, rows).finally(() => (isOpen = true));
  let turns = 0;
  for (; !isOpen; turns += 1) await turn();
  expect(await opened).toHaveLength(400);
  expect(turns).toBeGreaterThan(3);
});

test('a changed row among many is refused', async () => {
  const rows = [storedRow(1), { ...storedRow(2), body: 'changed' }, storedRow(3)];
  await expect(TABLE.open(TEST_SEALS, rows)).rejects.toMatchObject({ code: 'INTEGRITY_FAILURE' });
});

test('the sealed values of one list are opened two at a time, and keep their order', async () => {
  let working = 0;
  let most = 0;
  const keys = {
    open: async ({ jwe }: Sealed) => {
      most = Math.max(most, ++working);
      await turn();
      working -= 1;
      return { value: jwe };
    },
  };
  const names = Array.from({ length: 20 }, (_, number) => `value ${number}`);
  const entries = names.map((jwe) => ({ sealed: { jwe, type: 'EMAIL' } }));
  const shown = await new SealedValues(keys as unknown as SubjectKeys).entries(entries, () => true);
  expect(shown).toStrictEqual(names.map((value) => ({ value })));
  expect(most).toBe(2);
});
