import { expect, test } from '@jest/globals';
import { SealedValues } from '#apps/api/privacy/sealed-values.js';
import type { Sealed } from '#domain/held.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { largeText, text } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';
import type { SubjectKeys } from '#subject-keys/subject-keys.js';
import { TEST_MACS } from '#test/support/product-projections.js';

const TABLE = readTable('large.row', {
  key: ['id'],
  mac: true,
  columns: { id: text(), body: text() },
});
const turn = () => new Promise(setImmediate);

/** Returns rows as pg returns them. */
async function storedRows(count: number): Promise<readonly object[]> {
  let written = '[]';
  const query = (_: string, values: readonly unknown[] = []): Promise<never[]> => {
    written = String(values[0]);
    return Promise.resolve([]);
  };
  const rows = Array.from({ length: count }, (_, number) => ({
    row: { id: `row ${number}`, body: 'x'.repeat(64 * 1024) },
    event: { stream: 'rows', number, id: '', metadata: {} as EventMetadata },
  }));
  await TABLE.insert({ query, macs: TEST_MACS }, rows);
  return (JSON.parse(written) as { mac: string }[]).map((row) => ({
    ...row,
    mac: Buffer.from(row.mac.slice(2), 'hex'),
  }));
}

const sourceOf = (rows: readonly object[]) => ({
  macs: TEST_MACS,
  query: <Row>() => Promise.resolve(rows as Row[]),
});

test('many large rows are checked in several turns of the event loop', async () => {
  const source = sourceOf(await storedRows(400));
  let isRead = false;
  const read = TABLE.read(source, '').finally(() => (isRead = true));
  let turns = 0;
  for (; !isRead; turns += 1) await turn();
  expect(await read).toHaveLength(400);
  expect(turns).toBeGreaterThan(3);
});

test('a changed row among many is refused', async () => {
  const [first, second, third] = await storedRows(3);
  const rows = [first!, { ...second, body: 'changed' }, third!];
  await expect(TABLE.read(sourceOf(rows), '')).rejects.toMatchObject({ code: 'INTEGRITY_FAILURE' });
});

test('a large column may be left out of a read, and is checked if it is read', async () => {
  const table = readTable('large.part', {
    ...{ key: ['id'], mac: true, columns: { id: text(), said: text(), body: largeText() } },
  });
  let stored: object = {};
  const query = (_: string, values: readonly unknown[] = []): Promise<never[]> => {
    const [row] = JSON.parse(String(values[0])) as [{ readonly mac: string }];
    stored = { ...row, mac: Buffer.from(row.mac.slice(2), 'hex') };
    return Promise.resolve([]);
  };
  const row = { id: 'a', said: 'short', body: 'long' };
  const event = { stream: 'rows', number: 0, id: '', metadata: {} as EventMetadata };
  await table.insert({ query, macs: TEST_MACS }, [{ row, event }]);
  const read = (changes: object) => table.read(sourceOf([{ ...stored, ...changes }]), '');
  expect(await read({})).toStrictEqual([row]);
  const { body: _, ...brief } = stored as { readonly body: string };
  expect(await table.read(sourceOf([brief]), '')).toStrictEqual([{ id: 'a', said: 'short' }]);
  expect(table.columnsWithout('body', 'r')).toMatch(/^r\.id, r\.said, r\.body_sha256, r\.stream/);
  for (const changes of [{ body: 'other' }, { body_sha256: '0' }, { said: 'other' }])
    await expect(read(changes)).rejects.toMatchObject({ code: 'INTEGRITY_FAILURE' });
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
