import { Injectable } from '@nestjs/common';
import { SemImage } from '#domain/sem/sem-image.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';

// One statement, hence one consistent moment: the facts and how many events made them.
const CURRENT_FACTS = `
  declare facts no scroll cursor for
  select key, held, timestamp, (select coalesce(max(n), 0) from sem.history) as n
  from sem.fact where is_current`;

const NEXT_FACTS = 'fetch 10000 from facts';

const COUNT = 'select coalesce(max(n), 0) as n from sem.history';

const CHANGES: NamedQuery = {
  name: 'sem_snapshot_changes',
  text: `select n, key, type, is_decisive, held, timestamp from sem.history
    where n > $1 order by n limit 10000`,
};
const PAGE = 10_000;

/** The SEM as it stands (SPEC S8). */
export interface SemSnapshot {
  readonly hash: string;
  /** How many SEM events, in log order, it covers. */
  readonly count: number;
}

/**
 * Keeps the current facts in memory in the form that is hashed, so that a job's start costs what has
 * changed since the last one.
 */
@Injectable()
export class SemSnapshots {
  private image: SemImage | undefined;
  private count = 0;
  private running: Promise<SemSnapshot> | undefined;
  private next: Promise<SemSnapshot> | undefined;

  constructor(private readonly postgres: Postgres) {}

  /**
   * The snapshot of what the read model holds when this is called, or later. Callers that come while one
   * is taken share the one after it.
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
    return { hash: image.hash(), count: this.count };
  }

  private changes(): Promise<ChangeRow[]> {
    return this.postgres.query<ChangeRow>(CHANGES, [this.count]);
  }

  private async load(): Promise<SemImage> {
    return this.postgres.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only');
      const lines: [key: string, line: string][] = [];
      await tx.query(CURRENT_FACTS);
      let count: number | undefined;
      for (;;) {
        const rows = await tx.query<FactLine>(NEXT_FACTS);
        for (const row of rows) lines.push([row.key, lineOf(row)]);
        count ??= rows[0] && Number(rows[0].n);
        if (rows.length < PAGE) break;
      }
      // Without any fact there may still have been events: the image of none of them is right for all.
      this.count = count ?? Number((await tx.query<{ n: string }>(COUNT))[0]?.n);
      return SemImage.of(lines);
    });
  }
}

interface FactLine {
  readonly key: string;
  readonly held: string;
  readonly timestamp: string;
  readonly n: string;
}

interface ChangeRow extends FactLine {
  readonly type: string;
  readonly is_decisive: boolean;
}

// The column holds the canonical JSON already, of the value or of its sealed form.
const lineOf = ({ key, held, timestamp }: FactLine): string => `${key}\t${held}\t${timestamp}`;

function apply(image: SemImage, row: ChangeRow): void {
  if (!row.is_decisive) return;
  if (row.type === 'fact_put') image.set(row.key, lineOf(row));
  else image.delete(row.key);
}
