import { describe, expect, it } from '@jest/globals';
import type { FoldedTable } from '#read-model/folded-table.js';
import type { EventStore } from '#event-store/event-store.js';
import { PastRows } from '../../apps/api/moments/past-rows.js';

interface Row {
  readonly number: number;
  readonly isAsked: boolean;
}

const POSITION = 1_000_000n;
const ROWS = 5_000;

/** Rows that have not changed since the position, so no stream is read. */
const rowsWith = (isAsked: (number: number) => boolean): readonly Row[] =>
  Array.from({ length: ROWS }, (_, number) => ({ number, isAsked: isAsked(number) }));

describe('A page of rows as they were', () => {
  const past = new PastRows({} as EventStore);

  async function pageOf(all: readonly Row[], limit: number, after?: Row) {
    let statements = 0;
    let read = 0;
    const page = await past.page<Row>({
      ...{ table: {} as FoldedTable, position: POSITION, limit },
      rows: (last = after, count = limit) => {
        const from = last === undefined ? 0 : last.number + 1;
        const found = all.slice(from, from + count);
        statements += 1;
        read += found.length;
        return Promise.resolve(found);
      },
      streamOf: ({ number }) => `job-${number}`,
      changedAt: () => '1',
      made: (row: Row) => row,
      isAsked: (row) => row.isAsked,
    });
    return { ...page, statements, read };
  }

  it('looks at a part of the rows in few statements, and names the row after which the next page begins', async () => {
    const none = rowsWith(() => false);
    for (const limit of [1, 50, 500]) {
      const { rows, next, statements, read } = await pageOf(none, limit);
      expect(rows).toStrictEqual([]);
      expect(next?.number).toBeLessThan(ROWS - 1);
      expect(read).toBeLessThan(ROWS);
      expect(statements).toBeLessThan(20);
    }
  });

  it('shows each row once on the pages, in order, however few are asked for', async () => {
    const all = rowsWith((number) => number % 700 === 3);
    for (const limit of [1, 2, 50]) {
      const shown: Row[] = [];
      let after: Row | undefined;
      do {
        const { rows, next } = await pageOf(all, limit, after);
        expect(rows.length).toBeLessThanOrEqual(limit);
        shown.push(...rows);
        after = next;
      } while (after !== undefined);
      expect(shown).toStrictEqual(all.filter(({ isAsked }) => isAsked));
    }
  });

  it('of the longest length is whole', async () => {
    const { rows } = await pageOf(
      rowsWith(() => true),
      500,
    );
    expect(rows).toHaveLength(500);
  });
});
