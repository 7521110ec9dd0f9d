import { expect } from '@jest/globals';
import type { DomainEvent } from '#domain/decider.js';
import type { Columns, RowWith } from '#read-model/columns.js';
import type { FoldedTable } from '#read-model/folded-table.js';
import type { Logged } from '#read-model/projection.js';

/** Returns events of one stream as the log has them, from number 0, at the positions 100, 101, … */
export const loggedIn = <Event extends DomainEvent>(
  stream: string,
  events: readonly Event[],
): readonly Logged<DomainEvent>[] =>
  events.map((event, number) => ({
    ...event,
    ...{ stream, number, id: `event-${number}`, position: BigInt(100 + number) },
    metadata: {
      event_id: `event-${number}`,
      seeded_ts: '2026-01-01T00:00:00.000Z',
      recorded_at: '2026-01-02T00:00:00.000Z',
      ...{ schema_version: 1, kind: 'input' as const, command_id: 'command', command_index: 0 },
      ...{ body_hash: 'body', actor: 'agent-1', trace_id: 'trace', hash: `hash-${number}` },
    },
  }));

/** Folds the events into the table's rows, in batches of this size, and returns each row by its key. */
export function rowsOf<Of extends Columns, Key extends keyof Of & string>(
  table: FoldedTable<Of, Key>,
  events: readonly Logged<DomainEvent>[],
  batch = events.length || 1,
): readonly RowWith<Of>[] {
  const rows = new Map<string, RowWith<Of>>();
  const read = events.filter(({ type }) => table.types?.includes(type) ?? true);
  for (let from = 0; from < read.length; from += batch)
    for (const { row } of table.after([...rows.values()], read.slice(from, from + batch)))
      rows.set(table.idOf(row), row);
  return [...rows.values()];
}

/** Makes the test form `given(events).rows(expected)` for one table and stream. */
export const givenRowsFor =
  <Of extends Columns, Key extends keyof Of & string>(
    table: FoldedTable<Of, Key>,
    stream: string,
  ) =>
  (...events: readonly DomainEvent[]) => ({
    rows: (...expected: readonly object[]) =>
      expect(rowsOf(table, loggedIn(stream, events))).toStrictEqual(expected),
  });
