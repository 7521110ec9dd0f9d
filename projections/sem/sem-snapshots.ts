import { Injectable } from '@nestjs/common';
import { SemImage } from '#domain/sem/sem-image.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import { FACT, HISTORY, type HistoryRow } from './tables.js';

// One statement reads the facts and the number of their events, so that both fit together.
const CURRENT_FACTS = `
  declare facts no scroll cursor for
  select fact.*, (select coalesce(max(n), 0) from sem.history) as events
  from sem.fact where is_current`;

const NEXT_FACTS = 'fetch 10000 from facts';

const COUNT = 'select coalesce(max(n), 0) as n from sem.history';

const CHANGES: NamedQuery = {
  name: 'sem_snapshot_changes',
  text: 'select * from sem.history where n > $1 order by n limit 10000',
};
const PAGE = 10_000;

export interface SemSnapshot {
  readonly hash: string;
  /** The number of SEM events that the snapshot covers, in log order. */
  readonly count: number;
}

/**
 * Keeps the current facts in memory in the form that is hashed, so that a job's start processes only the
 * changes since the previous start.
 */
@Injectable()
export class SemSnapshots {
  private image: SemImage | undefined;
  private count = 0;
  private latest: string | undefined;
  private running: Promise<SemSnapshot> | undefined;
  private next: Promise<SemSnapshot> | undefined;

  constructor(private readonly postgres: Postgres) {}

  /** The hash of the last snapshot that this process took; undefined before the first one. */
  get latestHash(): string | undefined {
    return this.latest;
  }

  /**
   * Returns the snapshot of the read model at the time of the call or at a later time. Calls that arrive
   * during a read share the next read.
   */
  current(): Promise<SemSnapshot> {
    if (this.running === undefined) return this.run();
    this.next ??= this.running.then(
      () => this.run(),
      () => this.run(),
    );
    return this.next;
  }

  private run(): Promise<SemSnapshot> {
    this.next = undefined;
    const taken = this.take();
    this.running = taken;
    const done = (): void => {
      if (this.running === taken) this.running = undefined;
    };
    taken.then(done, done);
    return taken;
  }

  private async take(): Promise<SemSnapshot> {
    const image = this.image ?? (await this.load());
    this.image = image;
    for (let rows = await this.changes(); rows.length > 0; rows = await this.changes()) {
      for (const row of rows) apply(image, row);
      this.count = Number(rows.at(-1)?.n);
      if (rows.length < PAGE) break;
    }
    this.latest = image.hash();
    return { hash: this.latest, count: this.count };
  }

  private changes(): Promise<HistoryRow[]> {
    return HISTORY.read(this.postgres, CHANGES, [this.count]);
  }

  private async load(): Promise<SemImage> {
    return this.postgres.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only');
      const lines: [key: string, line: string][] = [];
      await tx.query(CURRENT_FACTS);
      let count: number | undefined;
      for (;;) {
        const rows = await FACT.read<{ events: string }>(tx, NEXT_FACTS);
        for (const row of rows) lines.push([row.key, lineOf(row)]);
        count ??= rows[0] && Number(rows[0].events);
        if (rows.length < PAGE) break;
      }
      // Without current facts, the cursor returns no row, although earlier events still count.
      this.count = count ?? Number((await tx.query<{ n: string }>(COUNT))[0]?.n);
      return SemImage.of(lines);
    });
  }
}

type FactLine = Pick<HistoryRow, 'key' | 'held' | 'timestamp'>;

// Returns the line of a fact. The column already has the canonical JSON of the value or of its sealed form.
const lineOf = ({ key, held, timestamp }: FactLine): string => `${key}\t${held}\t${timestamp}`;

function apply(image: SemImage, row: HistoryRow): void {
  if (!row.is_decisive) return;
  if (row.type === 'fact_put') image.set(row.key, lineOf(row));
  else image.delete(row.key);
}
