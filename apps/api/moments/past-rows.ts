import { Inject, Injectable } from '@nestjs/common';
import type { Columns, RowWith } from '#read-model/columns.js';
import type { FoldedTable } from '#read-model/folded-table.js';
import { upcastLogged } from '#read-model/upcasting.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { readUpTo } from '#event-store/stream-past.js';
import { EVENT_STORE } from '../platform/tokens.js';

const PAGE = 500;
/**
 * A page of a list ends once it has folded so many events anew. A row that has changed counts as some, for the reads that
 * find its events, and one that has not as a few, for its own read.
 */
const MAX_FOLDED = 20_000;
const LEAST_FOLDED = 100;
const UNCHANGED = 10;

interface PastList<Row> {
  readonly table: FoldedTable;
  readonly position: bigint;
  readonly limit: number;
  /**
   * Returns so many rows that had begun at the position, the newest first, after the place of a row; fewer at the end of
   * the list. It may leave out a row that is not asked for and has not changed since.
   */
  readonly rows: (after: Row | undefined, count: number) => Promise<readonly Row[]>;
  readonly streamOf: (row: Row) => string;
  /** Returns the position of the last event that a row shows. */
  readonly changedAt: (row: Row) => string;
  /** Makes a row of the list of one that was folded. */
  readonly made: (folded: never) => Row;
  readonly isAsked: (row: Row) => boolean;
}

/** Lists rows as they were at a position of the log: those that have changed since are folded from their streams. */
@Injectable()
export class PastRows {
  constructor(@Inject(EVENT_STORE) private readonly eventStore: EventStore) {}

  /** Returns a page, and the present row after which the next one begins; undefined on the last page. */
  async page<Row>({ limit, rows, changedAt, isAsked, ...list }: PastList<Row>): Promise<{
    readonly rows: readonly Row[];
    readonly next: Row | undefined;
  }> {
    const page: Row[] = [];
    let folded = 0;
    let last: Row | undefined;
    // If few rows are asked for, more are read at once, so that a short page takes few statements.
    for (let count = limit; ; count = Math.min(2 * count, PAGE)) {
      const found = await rows(last, count);
      for (const row of found) {
        if (page.length === limit || folded >= MAX_FOLDED) return { rows: page, next: last };
        let past: Row | undefined = row;
        if (BigInt(changedAt(row)) > list.position) {
          const before = await this.folded(row, list);
          folded += Math.max(LEAST_FOLDED, before.events);
          past = before.row;
        } else folded += UNCHANGED;
        if (past !== undefined && isAsked(past)) page.push(past);
        last = row;
      }
      if (found.length < count) return { rows: page, next: undefined };
    }
  }

  /** Folds a row from the events that its stream had at the position. */
  private async folded<Row>(
    present: Row,
    {
      table,
      position,
      streamOf,
      made,
    }: Pick<PastList<Row>, 'table' | 'position' | 'streamOf' | 'made'>,
  ): Promise<{ readonly row: Row | undefined; readonly events: number }> {
    let row: RowWith<Columns> | undefined;
    let count = 0;
    let events: LoggedEvent[] = [];
    const fold = (): void => {
      row = table.after(row === undefined ? [] : [row], events).at(-1)?.row ?? row;
      count += events.length;
      events = [];
    };
    for await (const event of readUpTo(this.eventStore, streamOf(present), position)) {
      events.push(upcastLogged(event));
      if (events.length === PAGE) fold();
    }
    fold();
    return { row: row && made(row as never), events: count };
  }
}
