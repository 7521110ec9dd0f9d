import { Inject, Injectable } from '@nestjs/common';
import type { Columns, RowWith } from '#read-model/columns.js';
import type { FoldedTable } from '#read-model/folded-table.js';
import { upcastLogged } from '#read-model/upcasting.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { EVENT_STORE } from '../platform/tokens.js';

const PAGE = 500;
/** The most rows that one page of a list folds anew. */
const MAX_FOLDS = 200;

/** A row of which a list knows when it last changed. */
interface Dated {
  readonly position: string;
  readonly last_position: string;
}

interface PastList<Row> {
  readonly table: FoldedTable;
  readonly position: bigint;
  readonly limit: number;
  /** Returns rows that had begun at the position, the newest first, after the place of a cursor. */
  readonly rows: (before: string | undefined) => Promise<readonly Row[]>;
  readonly streamOf: (row: Row) => string;
  readonly isAsked: (row: Row) => boolean;
  readonly cursor: string | undefined;
}

/** Lists rows as they were at a position of the log: those that have changed since are folded from their streams. */
@Injectable()
export class PastRows {
  constructor(@Inject(EVENT_STORE) private readonly eventStore: EventStore) {}

  async page<Row extends Dated>({
    cursor,
    limit,
    rows,
    ...list
  }: PastList<Row>): Promise<{
    readonly rows: readonly Row[];
    readonly next_cursor: string | null;
  }> {
    const page: Row[] = [];
    let folds = 0;
    for (let before = cursor; ;) {
      const found = await rows(before);
      for (const row of found) {
        if (page.length === limit || folds === MAX_FOLDS)
          return { rows: page, next_cursor: before ?? null };
        const hasChanged = BigInt(row.last_position) > list.position;
        if (hasChanged) folds += 1;
        const past = hasChanged ? await this.rowAt<Row>(list.table, list.streamOf(row), list) : row;
        if (past !== undefined && list.isAsked(past)) page.push(past);
        before = row.position;
      }
      if (found.length < limit) return { rows: page, next_cursor: null };
    }
  }

  private async rowAt<Row>(
    table: FoldedTable,
    stream: string,
    { position }: Pick<PastList<Row>, 'position'>,
  ): Promise<Row | undefined> {
    let row: RowWith<Columns> | undefined;
    let events: LoggedEvent[] = [];
    const fold = (): void => {
      row = table.after(row === undefined ? [] : [row], events).at(-1)?.row ?? row;
      events = [];
    };
    for await (const event of this.eventStore.readStream(stream)) {
      if (event.position > position) break;
      events.push(upcastLogged(event));
      if (events.length === PAGE) fold();
    }
    fold();
    return row as Row | undefined;
  }
}
