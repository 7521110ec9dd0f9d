import type { EventStore } from '#event-store/event-store.js';
import { type IntegrityFinding, LogCheck, type StreamEnd } from '#event-store/log-check.js';
import type { Postgres } from '#read-model/postgres.js';
import { categoryOf } from '#domain/stream-category.js';
import { AUDIT_ENTRIES } from './oversight/oversight.projection.js';

/** The rows that one table must have for each stream of a category. */
interface Rule {
  /** The schema and table; the schema is the name of the read model. */
  readonly table: string;
  readonly category: string;
  /** SQL for the value of one stream's rows, and a function that computes it from the log. */
  readonly value: string;
  readonly expected: (end: StreamEnd) => string | number;
}

/** Each stream has one row, which shows its last event. */
const head = (table: string, category: string): Rule => ({
  ...{ table, category },
  value: `max(lpad(number::text, 12, '0') || ' ' || event_hash)`,
  expected: ({ number, hash }) => `${String(number).padStart(12, '0')} ${hash}`,
});

/** Each event of these types has one row; of all types by default. */
const events = (table: string, category: string, ...types: readonly string[]): Rule => ({
  ...{ table, category },
  value: 'count(*)::int',
  expected: (end) => (types.length === 0 ? end.number + 1 : countOf(end, types)),
});

const countOf = ({ types }: StreamEnd, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (types.get(name) ?? 0), 0);

const EPISODES = ['episode_written', 'episode_consolidated', 'episodic_summary'];

const RULES: readonly Rule[] = [
  head('sem.fact', 'sem'),
  events('sem.history', 'sem'),
  events('collisions.collision', 'sem', 'collision_event'),
  {
    ...events('collisions.collision', 'sem', 'collision_closed'),
    value: 'count(closed_at)::int',
  },
  events('sem.owner', 'owner', 'owner_claimed'),
  head('jobs.job', 'job'),
  {
    ...events('jobs.timeline', 'job'),
    value: 'coalesce(sum(last_number - first_number + 1), 0)::int',
  },
  head('action_requests.request', 'request'),
  events('action_requests.vote', 'request', 'vote_cast'),
  events('episodes.entry', 'job', ...EPISODES),
  events('episodes.entry', 'request', ...EPISODES),
  events('episodes.withheld', 'consent', 'episode_withheld'),
  {
    ...events('search.entry', 'job', ...EPISODES),
    value: `(count(*) filter (where kind = 'episode'))::int`,
  },
  events('search.entry', 'request', ...EPISODES),
  events('search.entry', 'memory', 'item_stored'),
  { ...events('search.entry', 'memory', 'memory_deleted'), value: 'count(died)::int' },
  head('memory_items.store', 'memory'),
  events('memory_items.item', 'memory', 'item_stored'),
  {
    ...events('memory_items.item', 'memory', 'memory_deleted'),
    value: 'count(deleted_number)::int',
  },
  events('memory_items.phase', 'memory', 'memory_phase_started'),
  head('notes.note', 'note'),
  head('threads.thread', 'thread'),
  events('threads.graph_checkpoint', 'thread', 'checkpoint_put'),
  events('oversight.audit_entry', 'audit', ...AUDIT_ENTRIES),
  events('oversight.consent', 'consent', 'consent_given'),
  {
    ...events('oversight.consent', 'consent', 'consent_revoked'),
    value: 'count(revoked_at)::int',
  },
  events('reflective_logs.quarantine', 'quarantine', 'log_quarantined'),
  events('reflective_logs.review', 'reflective', 'review_requested'),
  {
    ...events('reflective_logs.review', 'reflective', 'review_resolved'),
    value: 'count(resolved_at)::int',
  },
];

/** The number of times that a stream is compared again before it is a finding, because it may have grown. */
const ATTEMPTS = 3;

export interface RowCheckOptions {
  readonly eventStore: EventStore;
  readonly postgres: Postgres;
  /** Returns the names of the read models that follow the log: neither stopped nor being rebuilt. */
  readonly following: () => Promise<readonly string[]>;
  /** Resolves once these read models show the position. */
  readonly reach: (position: bigint, names: readonly string[]) => Promise<void>;
  readonly onFinding: (finding: IntegrityFinding, table: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Compares the number of rows and the revisions in Postgres with a log that was checked, so that a row that was
 * deleted, added, or replaced by an older one is found, although each seal is right (SPEC I6). Fails with
 * `PostgresUnavailable` and with PROJECTION_LAG.
 */
export class RowCheck {
  /** The read models that follow the log, as last asked. */
  private following: ReadonlySet<string> = new Set();

  constructor(private readonly options: RowCheckOptions) {}

  async run(log: LogCheck): Promise<void> {
    this.following = new Set(await this.options.following());
    const named = new Set<string>();
    for (const rule of RULES) {
      if (!this.following.has(readModelOf(rule))) continue;
      const rows = await this.valuesIn(rule);
      const suspects = [...rows.keys()].filter((stream) => log.endOf(stream) === undefined);
      for (const [stream, end] of log.ends())
        // A stream with a finding of its own has no rows that could be right.
        if (
          end.isSound &&
          categoryOf(stream) === rule.category &&
          !agrees(rule, end, rows.get(stream))
        )
          suspects.push(stream);
      for (const stream of suspects) {
        if (!this.following.has(readModelOf(rule))) break;
        const finding = await this.findingOf(rule, stream);
        if (finding === undefined || named.has(`${rule.table} ${stream}`)) continue;
        named.add(`${rule.table} ${stream}`);
        this.options.onFinding(finding, rule.table);
      }
    }
  }

  /** Compares one stream as it is now. */
  private async findingOf(rule: Rule, stream: string): Promise<IntegrityFinding | undefined> {
    const { eventStore, signal } = this.options;
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      const log = new LogCheck();
      let position: bigint | undefined;
      for await (const event of eventStore.readStream(stream)) {
        log.take(event);
        ({ position } = event);
      }
      if (position !== undefined && !(await this.reached(position, readModelOf(rule))))
        return undefined;
      const end = log.endOf(stream);
      const value = (await this.valuesIn(rule, stream)).get(stream);
      if (end === undefined ? value === undefined : agrees(rule, end, value)) return undefined;
      if (attempt < ATTEMPTS) continue;
      const problem =
        end === undefined ? 'row_unknown' : value === undefined ? 'row_missing' : 'row_outdated';
      return { stream, number: end?.number ?? 0, problem };
    }
  }

  /** Waits until the read model shows the position. False if it no longer follows the log, and so never will. */
  private async reached(position: bigint, readModel: string): Promise<boolean> {
    try {
      await this.options.reach(position, [readModel]);
      return true;
    } catch (error) {
      this.following = new Set(await this.options.following());
      if (this.following.has(readModel)) throw error;
      return false;
    }
  }

  /** Returns the values of all streams of a rule, or of one. */
  private async valuesIn(
    { table, category, value }: Rule,
    stream?: string,
  ): Promise<ReadonlyMap<string, string | number>> {
    const rows = await this.options.postgres.query<{ stream: string; value: string | number }>(
      `select stream, ${value} as value from ${table}
       where stream >= $1 || '-' and stream < $1 || '.' and ($2::text is null or stream = $2)
       group by stream`,
      [category, stream ?? null],
    );
    return new Map(rows.map((row) => [row.stream, row.value]));
  }
}

const readModelOf = ({ table }: Rule): string => table.slice(0, table.indexOf('.'));

function agrees(rule: Rule, end: StreamEnd, value: string | number | undefined): boolean {
  const expected = rule.expected(end);
  return (value ?? 0) === expected;
}
