import { ownerDecider } from '#domain/ownership/owner.decider.js';
import { sessionDecider } from '#domain/session/session.decider.js';
import { noteDecider } from '#domain/note/note.decider.js';
import { memoriesDecider } from '#domain/memories/memories.decider.js';
import type { DomainEvent } from '#domain/decider.js';
import type { Sealed } from '#domain/held.js';
import { type MemoryWorded, PLAIN_MEMORY } from '#domain/memories/events.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { jobDecider } from '#domain/job/decider.js';
import type { FactPut } from '#domain/sem/events.js';
import { Optional } from '@nestjs/common';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { SearchLanguage } from '#read-model/search-language.js';
import { readTables } from '../read-tables.js';
import { formOf, SEARCH_VERSION } from './index-version.js';
import { IndexWriter } from './index-writer.js';
import {
  claimStreamsOf,
  clearedIn,
  type IndexedEvent,
  type KnownRows,
  SearchChanges,
} from './search-changes.js';
import { CLAIM, type ClaimRow, ENTRY, type EntryRow, JOB } from './tables.js';

/** The events that end one entry, if it is there. */
const ENDS = [
  ...['promotion_event', 'wm_expired', 'wm_forgotten'],
  ...['cwm_returned', 'cwm_expired', 'cwm_evicted', 'cwm_forgotten'],
  ...['fact_put', 'fact_deleted', 'memory_deleted'],
  ...['note_put', 'note_deleted', 'note_expired'],
  ...['memory_reworded', 'memory_hidden', 'memory_lapsed'],
] as const;

/** The events whose entries have the job's owner or session. */
const OF_A_JOB = [
  'wm_inserted',
  'promotion_event',
  'cwm_returned',
  'episode_written',
  'episode_consolidated',
  'episodic_summary',
] as const;

const ALIVE = 'died is null';
const ALIVE_IN_JOB = `${ALIVE} and stream = any($1::text[]) and kind in ('wm', 'cwm')`;

/**
 * Returns what the index opens: a memory in which the privacy gate found no personal data (SPEC W2), and a fact whose
 * findings the council has cleared (SPEC W8).
 */
function openedOf({ type, data }: DomainEvent): Sealed | undefined {
  if (type === 'fact_put') return clearedIn(data as FactPut);
  if (type !== 'memory_remembered' && type !== 'memory_reworded') return undefined;
  const { sealed } = data as MemoryWorded;
  return sealed.type === PLAIN_MEMORY ? sealed : undefined;
}

/** The search index (SPEC Q1–Q4). */
@Projector({
  name: 'search',
  version: SEARCH_VERSION,
  tables: [ENTRY, JOB, CLAIM, readTables(import.meta.url)],
  reads: [
    jobDecider,
    actionRequestDecider,
    semDecider,
    memoryDecider,
    memoriesDecider,
    noteDecider,
    sessionDecider,
    ownerDecider,
  ],
  types: [
    ...ENDS,
    ...OF_A_JOB,
    ...['job_started', 'job_ended', 'item_stored', 'session_claimed', 'owner_claimed'],
    ...['memory_remembered', 'deletion_event'],
  ] as const,
  opens: openedOf,
})
export class SearchProjection implements EventProjector<IndexedEvent> {
  readonly form: number;

  constructor(@Optional() private readonly language: SearchLanguage = new SearchLanguage()) {
    this.form = formOf(language);
  }

  async project(tx: ProjectionTransaction, events: readonly Logged<IndexedEvent>[]): Promise<void> {
    const changes = new SearchChanges(await this.knownRows(tx, events));
    for (const event of events) changes.add(event);
    await Promise.all([
      JOB.insert(tx, [...changes.newJobs.values()]),
      CLAIM.keepFirst(tx, changes.newClaims),
      new IndexWriter(tx, this.language).write(changes),
    ]);
  }

  private async knownRows(
    tx: ProjectionTransaction,
    events: readonly Logged<IndexedEvent>[],
  ): Promise<KnownRows> {
    const [jobs, claims, ending, inEndedJobs] = await Promise.all([
      this.jobsOf(tx, events),
      this.claimsOf(tx, events),
      this.endedBy(tx, events),
      this.endedWithJob(tx, events),
    ]);
    return { jobs, claims, alive: [...ending, ...inEndedJobs] };
  }

  private async jobsOf(tx: ProjectionTransaction, events: readonly Logged<IndexedEvent>[]) {
    const streams = streamsOf(events, ({ type }) => (OF_A_JOB as readonly string[]).includes(type));
    if (streams.length === 0) return [];
    return JOB.find(tx, 'stream = any($1::text[])', [streams]);
  }

  /** Reads the claims in three steps: of a user's store, of its session's store, and of the session. */
  private async claimsOf(
    tx: ProjectionTransaction,
    events: readonly Logged<IndexedEvent>[],
  ): Promise<ClaimRow[]> {
    const stores = streamsOf(events, ({ type }) => type === 'item_stored');
    const inBatch = claimedIn(events);
    const known: ClaimRow[] = [];
    const read = new Set<string>();
    for (;;) {
      const wanted = claimStreamsOf(stores, [...inBatch, ...known]).filter((one) => !read.has(one));
      if (wanted.length === 0) return known;
      known.push(...(await CLAIM.find(tx, 'stream = any($1::text[])', [wanted])));
      for (const stream of wanted) read.add(stream);
    }
  }

  private async endedBy(
    tx: ProjectionTransaction,
    events: readonly Logged<IndexedEvent>[],
  ): Promise<EntryRow[]> {
    const ends = events.flatMap((event) => {
      const id = endedId(event);
      return id === undefined ? [] : [{ stream: event.stream, id }];
    });
    return ENTRY.having(tx, ['stream', 'id'], ends, ALIVE);
  }

  private async endedWithJob(
    tx: ProjectionTransaction,
    events: readonly Logged<IndexedEvent>[],
  ): Promise<EntryRow[]> {
    const streams = streamsOf(events, ({ type }) => type === 'job_ended');
    if (streams.length === 0) return [];
    return ENTRY.find(tx, ALIVE_IN_JOB, [streams]);
  }
}

/** Returns the id of the entry that an event ends, if it is there; undefined for an event that ends none. */
function endedId(event: Logged<IndexedEvent>): string | undefined {
  switch (event.type) {
    case 'promotion_event':
    case 'wm_expired':
    case 'wm_forgotten':
      return event.data.wm_id;
    case 'cwm_returned':
    case 'cwm_expired':
    case 'cwm_evicted':
    case 'cwm_forgotten':
      return event.data.item_id;
    case 'fact_put':
    case 'fact_deleted':
      return event.data.key;
    case 'memory_deleted':
    case 'memory_reworded':
    case 'memory_hidden':
    case 'memory_lapsed':
      return event.data.memory_id;
    case 'note_put':
    case 'note_deleted':
    case 'note_expired':
      return event.stream;
    default:
      return undefined;
  }
}

const streamsOf = (
  events: readonly Logged<IndexedEvent>[],
  isWanted: (event: Logged<IndexedEvent>) => boolean,
): string[] => [...new Set(events.filter(isWanted).map(({ stream }) => stream))];

/** Returns the claims that the batch itself makes. */
function claimedIn(events: readonly Logged<IndexedEvent>[]): readonly ClaimRow[] {
  const changes = new SearchChanges({ jobs: [], claims: [], alive: [] });
  for (const event of events)
    if (event.type === 'session_claimed' || event.type === 'owner_claimed') changes.add(event);
  return changes.newClaims;
}
