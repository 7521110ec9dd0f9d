import { Optional } from '@nestjs/common';
import { noteSchemas } from '#domain/note/events.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import { SearchLanguage } from '#read-model/search-language.js';
import { readTables } from '../read-tables.js';
import { formOf, SEARCH_VERSION } from './index-version.js';
import { IndexWriter } from './index-writer.js';
import { claimStreamsOf, type KnownRows, SearchChanges } from './search-changes.js';
import { CLAIM, type ClaimRow, ENTRY, type EntryRow, JOB } from './tables.js';

/** The field of each event type that names the entry which the event ends. */
const ENDS: Readonly<Record<string, string>> = {
  promotion_event: 'wm_id',
  wm_expired: 'wm_id',
  wm_forgotten: 'wm_id',
  cwm_returned: 'item_id',
  cwm_expired: 'item_id',
  cwm_evicted: 'item_id',
  cwm_forgotten: 'item_id',
  fact_put: 'key',
  fact_deleted: 'key',
  memory_deleted: 'memory_id',
};

/** Each of them ends the entry of its note, if there is one. */
const NOTE_TYPES: ReadonlySet<string> = new Set(Object.keys(noteSchemas));

/** The event types whose entries have the job's owner or session. */
const OF_A_JOB: ReadonlySet<string> = new Set([
  'wm_inserted',
  'promotion_event',
  'cwm_returned',
  'episode_written',
  'episode_consolidated',
  'episodic_summary',
]);

const ALIVE = 'died is null and (stream, id) in (select * from unnest($1::text[], $2::text[]))';
const ALIVE_IN_JOB = `died is null and stream = any($1::text[]) and kind in ('wm', 'cwm')`;

/** The search index (SPEC Q1–Q4). */
@Projector({
  name: 'search',
  version: SEARCH_VERSION,
  tables: readTables(import.meta.url),
  categories: ['job', 'request', 'sem', 'memory', 'note', 'session', 'owner'],
  types: new Set([
    ...Object.keys(ENDS),
    ...OF_A_JOB,
    'job_started',
    'job_ended',
    'item_stored',
    ...NOTE_TYPES,
    'session_claimed',
    'owner_claimed',
  ]),
})
export class SearchProjection implements EventProjector {
  readonly form: number;

  constructor(
    private readonly seals: RowSeals,
    @Optional() private readonly language: SearchLanguage = new SearchLanguage(),
  ) {
    this.form = formOf(language);
  }

  async project(tx: ProjectionTransaction, events: readonly LoggedEvent[]): Promise<void> {
    const changes = new SearchChanges(await this.knownRows(tx, events));
    for (const event of events) changes.add(event);
    await Promise.all([
      JOB.insert(tx, this.seals, [...changes.newJobs.values()]),
      CLAIM.keepFirst(tx, this.seals, changes.newClaims),
      new IndexWriter(tx, this.seals, this.language).write(changes),
    ]);
  }

  private async knownRows(
    tx: ProjectionTransaction,
    events: readonly LoggedEvent[],
  ): Promise<KnownRows> {
    const [jobs, claims, ending, inEndedJobs] = await Promise.all([
      this.jobsOf(tx, events),
      this.claimsOf(tx, events),
      this.endedBy(tx, events),
      this.endedWithJob(tx, events),
    ]);
    return { jobs, claims, alive: [...ending, ...inEndedJobs] };
  }

  private async jobsOf(tx: ProjectionTransaction, events: readonly LoggedEvent[]) {
    const streams = streamsOf(events, ({ type }) => OF_A_JOB.has(type));
    if (streams.length === 0) return [];
    return JOB.find(tx, this.seals, 'stream = any($1::text[])', [streams]);
  }

  /** Reads the claims in three steps: of a user's store, of its session's store, and of the session. */
  private async claimsOf(
    tx: ProjectionTransaction,
    events: readonly LoggedEvent[],
  ): Promise<ClaimRow[]> {
    const stores = streamsOf(events, ({ type }) => type === 'item_stored');
    const inBatch = claimedIn(events);
    const known: ClaimRow[] = [];
    const read = new Set<string>();
    for (;;) {
      const wanted = claimStreamsOf(stores, [...inBatch, ...known]).filter((one) => !read.has(one));
      if (wanted.length === 0) return known;
      known.push(...(await CLAIM.find(tx, this.seals, 'stream = any($1::text[])', [wanted])));
      for (const stream of wanted) read.add(stream);
    }
  }

  private async endedBy(
    tx: ProjectionTransaction,
    events: readonly LoggedEvent[],
  ): Promise<EntryRow[]> {
    const ends = events.flatMap(({ type, stream, data }) => {
      if (NOTE_TYPES.has(type)) return [{ stream, id: stream }];
      const field = ENDS[type];
      return field === undefined ? [] : [{ stream, id: data[field] as string }];
    });
    if (ends.length === 0) return [];
    return ENTRY.find(tx, this.seals, ALIVE, [
      ends.map(({ stream }) => stream),
      ends.map(({ id }) => id),
    ]);
  }

  private async endedWithJob(
    tx: ProjectionTransaction,
    events: readonly LoggedEvent[],
  ): Promise<EntryRow[]> {
    const streams = streamsOf(events, ({ type }) => type === 'job_ended');
    if (streams.length === 0) return [];
    return ENTRY.find(tx, this.seals, ALIVE_IN_JOB, [streams]);
  }
}

const streamsOf = (
  events: readonly LoggedEvent[],
  isWanted: (event: LoggedEvent) => boolean,
): string[] => [...new Set(events.filter(isWanted).map(({ stream }) => stream))];

/** Returns the claims that the batch itself makes. */
function claimedIn(events: readonly LoggedEvent[]): readonly ClaimRow[] {
  const changes = new SearchChanges({ jobs: [], claims: [], alive: [] });
  for (const event of events)
    if (event.type === 'session_claimed' || event.type === 'owner_claimed') changes.add(event);
  return changes.newClaims.map(({ row }) => row);
}
