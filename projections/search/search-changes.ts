import type { ActionRequestEvent } from '#domain/action-request/events.js';
import { givenBase } from '#domain/determinism/seeded-clock.js';
import { isSealed, type Held, type Sealed } from '#domain/held.js';
import type { EpisodeData, JobEvent, JobStarted } from '#domain/job/events.js';
import type { MemoryEvent } from '#domain/memory-contract/events.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import type { Json, JsonObject } from '#domain/json.js';
import { ownerName } from '#domain/memory-contract/owners.js';
import { type MemoriesEvent, type MemoryWorded, PLAIN_MEMORY } from '#domain/memories/events.js';
import type { NoteEvent } from '#domain/note/events.js';
import { isHidden } from '#domain/note/namespaces.js';
import { type OwnerEvent } from '#domain/ownership/events.js';
import { sessionClaimStream, sessionOfUserId } from '#domain/ownership/store-access.js';
import { keyIdOf } from '#domain/privacy/key-id.js';
import type { EntryKind } from '#domain/search/kinds.js';
import {
  clearedFactScope,
  episodeScope,
  factScope,
  jobScope,
  memoryScope,
  noteScope,
  type Scope,
  sessionScope,
  storeScope,
} from '#domain/search/scopes.js';
import { keyWordsOf, textOf } from '#domain/search/text-of.js';
import type { FactPut, SemEvent } from '#domain/sem/events.js';
import type { SessionEvent } from '#domain/session/events.js';
import { storeOfStream, storeOwnerStream } from '#domain/stream-names.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { Logged } from '#read-model/projection.js';
import type { ClaimRow, EntryRow, JobRow, NoteName } from './tables.js';

/** The events of the streams from which the index is made. */
export type IndexedEvent =
  | JobEvent
  | ActionRequestEvent
  | SemEvent
  | MemoryEvent
  | MemoriesEvent
  | NoteEvent
  | SessionEvent
  | OwnerEvent;
type FactEvent = Extract<SemEvent, { readonly type: 'fact_put' | 'fact_deleted' }>;

/** What an entry is in. */
interface Container {
  readonly name: string;
  readonly session_id: string | null;
  /** True if its entries are each other's context (SPEC Q2). */
  readonly isGroup: boolean;
}

/** An entry before it has a place in the index. */
export interface NewEntry {
  readonly kind: EntryKind;
  readonly scope: Scope;
  readonly space: string | null;
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** The text that is indexed; null if it was erased, so that the entry only takes its place. */
  readonly indexed: string | null;
  readonly time: string;
  /** The time for people, which is never logical (SPEC W6). */
  readonly shown_at: string;
  readonly container: Container | null;
  readonly note: NoteName | null;
  readonly event: LoggedEvent;
}

/** The rows that the changes of a batch need. */
export interface KnownRows {
  readonly jobs: readonly JobRow[];
  readonly claims: readonly ClaimRow[];
  /** The entries that the batch may end. */
  readonly alive: readonly EntryRow[];
}

/** An entry that is there: a row of an earlier batch, or a new one. */
type Alive = { readonly row: EntryRow } | { readonly added: NewEntry };

type Described = Omit<NewEntry, 'event' | 'note' | 'space' | 'indexed' | 'shown_at'> &
  Partial<Pick<NewEntry, 'note' | 'space' | 'indexed' | 'shown_at'>>;

/**
 * Derives from a batch of events which entries appear and which disappear. Sealed values never become entries (SPEC
 * P3), except for what the index opens, and neither does a write of a fact that lost a conflict (SPEC S3).
 */
export class SearchChanges {
  readonly added: NewEntry[] = [];
  /** The event by which each entry disappeared. */
  readonly endings = new Map<EntryRow | NewEntry, LoggedEvent>();
  readonly newJobs = new Map<string, JobRow>();
  readonly newClaims: ClaimRow[] = [];
  /** The scopes whose entries go, because their key was destroyed, each with the event that says so. */
  readonly erased = new Map<Scope, LoggedEvent>();
  /** The entries of each stream, by their ids. */
  private readonly alive = new Map<string, Map<string, Alive>>();
  private readonly jobs: Map<string, JobRow>;
  private readonly claims: Map<string, ClaimRow>;

  constructor({ jobs, claims, alive }: KnownRows) {
    this.jobs = new Map(jobs.map((row) => [row.stream, row]));
    this.claims = new Map(claims.map((row) => [row.stream, row]));
    for (const row of alive) this.entriesOf(row.stream).set(row.id, { row });
  }

  add(event: Logged<IndexedEvent>): void {
    const { stream } = event;
    switch (event.type) {
      case 'job_started':
        return this.startJob(event, event.data);
      case 'episode_written':
      case 'episode_consolidated':
      case 'episodic_summary':
        return this.appear(event, this.episodeOf(event, event.data));
      case 'wm_inserted':
        return this.remember(event, 'wm', event.data.wm_id, event.data);
      case 'promotion_event':
        return this.move(event, event.data.wm_id, 'cwm', event.data.item_id);
      case 'cwm_returned':
        return this.move(event, event.data.item_id, 'wm', event.data.wm_id);
      case 'wm_expired':
      case 'wm_forgotten':
        return void this.end(event, event.data.wm_id);
      case 'cwm_expired':
      case 'cwm_evicted':
      case 'cwm_forgotten':
        return void this.end(event, event.data.item_id);
      case 'job_ended':
        for (const [id, one] of this.alive.get(stream) ?? [])
          if (isOfMemory(one)) this.end(event, id);
        return;
      case 'fact_put':
      case 'fact_deleted':
        return this.changeFact(event);
      case 'memory_deleted':
        return void this.end(event, event.data.memory_id);
      case 'item_stored':
        return this.storeItem(event, event.data.item);
      case 'note_put':
      case 'note_deleted':
      case 'note_expired':
        return this.changeNote(event);
      case 'memory_remembered':
      case 'memory_reworded':
        return this.changeMemory(event, event.data);
      case 'memory_hidden':
      case 'memory_lapsed':
        return void this.end(event, event.data.memory_id);
      case 'deletion_event':
        for (const kid of event.data.kids)
          for (const scope of [memoryScope(kid), clearedFactScope(kid)])
            this.erased.set(scope, event);
        return;
      case 'session_claimed': {
        const { sub: owner_sub, user_id: owner_user_id } = event.data.owner;
        return this.claim({ stream, raw_id: null, owner_sub, owner_user_id });
      }
      case 'owner_claimed': {
        const { raw_id } = event.data;
        return this.claim({ stream, raw_id, owner_sub: null, owner_user_id: null });
      }
      default:
        return;
    }
  }

  private startJob(event: LoggedEvent, started: JobStarted): void {
    const { stream } = event;
    const { session_id, carried_cwm } = started;
    const { sub, user_id } = started.owner;
    const has_given_time =
      givenBase(started.job_seed, started.seeded_epoch ?? undefined) !== undefined;
    const row = { stream, owner_sub: sub, owner_user_id: user_id, session_id, has_given_time };
    this.jobs.set(stream, row);
    this.newJobs.set(stream, row);
    for (const item of carried_cwm?.items ?? []) this.remember(event, 'cwm', item.item_id, item);
  }

  private episodeOf(event: LoggedEvent, episode: EpisodeData): Described {
    const job = this.jobs.get(event.stream);
    return {
      kind: 'episode',
      scope: episodeScope(episode.owner),
      id: episode.episodic_id,
      title: '',
      body: episode.summary,
      time: episode.created_seeded_ts,
      shown_at: shownAt(event, episode.created_seeded_ts, job),
      container: job === undefined ? null : jobContainer(job),
    };
  }

  /** Adds a value of a job's memory, unless it is sealed. */
  private remember(event: LoggedEvent, kind: 'wm' | 'cwm', id: string, held: Held): void {
    if (!isSealed(held)) this.rememberText(event, kind, id, textOf(held.value));
  }

  private rememberText(event: LoggedEvent, kind: 'wm' | 'cwm', id: string, body: string): void {
    const job = this.jobs.get(event.stream);
    if (job === undefined) return;
    const { owner_sub: sub, owner_user_id: user_id } = job;
    this.appear(event, {
      kind,
      id,
      body,
      title: '',
      scope: jobScope({ sub, user_id }),
      time: event.metadata.seeded_ts,
      shown_at: shownAt(event, event.metadata.seeded_ts, job),
      container: jobContainer(job),
    });
  }

  /** Moves an entry between WM and CWM; a sealed value is not an entry (SPEC J4, J5). */
  private move(event: LoggedEvent, from: string, kind: 'wm' | 'cwm', id: string): void {
    const moved = this.end(event, from);
    if (moved !== undefined) this.rememberText(event, kind, id, bodyOf(moved));
  }

  private changeFact(event: Logged<FactEvent>): void {
    const { type, data } = event;
    if (data.superseded) return;
    const { key } = data;
    this.end(event, key);
    if (type === 'fact_deleted') return;
    const fact = { kind: 'fact', id: key, container: null, title: keyWordsOf(key) } as const;
    const time = data.timestamp;
    const cleared = clearedIn(data);
    if (cleared !== undefined) {
      const scope = clearedFactScope(keyIdOf(cleared));
      const indexed = event.opened === undefined ? null : textOf(event.opened);
      this.appear(event, { ...fact, scope, indexed, body: indexed ?? '', time });
    } else if (!isSealed(data))
      this.appear(event, { ...fact, scope: factScope(key), body: textOf(data.value), time });
  }

  private storeItem(event: LoggedEvent, { id, text }: MemoryItem): void {
    const { space, owner } = storeOfStream(event.stream);
    const session = this.sessionOfStore(space, owner);
    const scope = session?.scope ?? this.scopeOfStore(space, owner);
    if (scope === undefined) return;
    const session_id = space === 'session' ? (session?.id ?? null) : null;
    this.appear(event, {
      ...{ kind: 'memory_item', scope, space, id },
      ...{ title: '', body: text },
      // The seeded time of a store says nothing, because the store's name is its seed (SPEC I3).
      time: event.metadata.recorded_at,
      container: { name: event.stream, session_id, isGroup: space === 'session' },
    });
  }

  /** Returns the session to which a store belongs: its own, or one without a user that stands in for it (SPEC M2). */
  private sessionOfStore(space: string, owner: string): { id: string; scope: Scope } | undefined {
    if (space === 'user') {
      const standIn = sessionOfUserId(this.holderOf('user', owner));
      return standIn === undefined ? undefined : this.sessionOfStore('session', ownerName(standIn));
    }
    if (space !== 'session') return undefined;
    const id = this.holderOf('session', owner);
    const claim = id === null ? undefined : this.claims.get(sessionClaimStream(id));
    if (id === null || claim === undefined || claim.owner_sub === null) return undefined;
    const { owner_sub: sub, owner_user_id: user_id } = claim;
    return { id, scope: sessionScope({ sub, user_id }) };
  }

  private scopeOfStore(space: string, owner: string): Scope | undefined {
    if (space === 'project' || space === 'system') return storeScope(space, owner);
    const holder = space === 'user' ? this.holderOf('user', owner) : null;
    return holder === null ? undefined : storeScope('user', holder);
  }

  private holderOf(space: 'session' | 'user', owner: string): string | null {
    return this.claims.get(storeOwnerStream(space, owner))?.raw_id ?? null;
  }

  /** Adds a note, unless its name or its value is sealed (SPEC P3), or its namespace is hidden. */
  private changeNote(event: Logged<NoteEvent>): void {
    const { type, data, stream } = event;
    this.end(event, stream);
    if (type !== 'note_put' || isSealed(data)) return;
    if (!('namespace' in data) || !('key' in data)) return;
    const { owner, namespace, key } = data;
    if (isHidden(namespace)) return;
    this.appear(event, {
      ...{ kind: 'note', scope: noteScope(owner), id: stream },
      title: [...namespace, key].join(' '),
      body: textOf(data.value),
      time: data.updated_at,
      container: { name: JSON.stringify(namespace), session_id: null, isGroup: false },
      note: { namespace, key, version: event.number + 1 },
    });
  }

  /**
   * Adds a memory in which the gate found no personal data. The index has its terms until its key is destroyed, and never
   * its text (SPEC W2).
   */
  private changeMemory(event: Logged<MemoriesEvent>, memory: MemoryWorded): void {
    const { memory_id: id, sealed, at } = memory;
    this.end(event, id);
    if (sealed.type !== PLAIN_MEMORY) return;
    this.appear(event, {
      ...{ kind: 'memory', id, title: '', body: '', container: null },
      scope: memoryScope(keyIdOf(sealed)),
      indexed: openedText(event.opened),
      time: at,
    });
  }

  private claim(row: ClaimRow): void {
    if (this.claims.has(row.stream)) return;
    this.claims.set(row.stream, row);
    this.newClaims.push(row);
  }

  private appear(event: LoggedEvent, described: Described): void {
    const { body: indexed, time: shown_at } = described;
    const added: NewEntry = { space: null, note: null, indexed, shown_at, ...described, event };
    this.added.push(added);
    this.entriesOf(event.stream).set(added.id, { added });
  }

  private entriesOf(stream: string): Map<string, Alive> {
    const entries = this.alive.get(stream) ?? new Map<string, Alive>();
    this.alive.set(stream, entries);
    return entries;
  }

  /** Ends the entry with this id, and returns it; undefined if there is none. */
  private end(event: LoggedEvent, id: string): EntryRow | NewEntry | undefined {
    const entries = this.entriesOf(event.stream);
    const one = entries.get(id);
    if (one === undefined) return undefined;
    entries.delete(id);
    const ended = 'row' in one ? one.row : one.added;
    this.endings.set(ended, event);
    return ended;
  }
}

/** Returns the sealed value of a fact whose findings the council has cleared; undefined for any other fact (SPEC W8). */
export const clearedIn = (fact: FactPut): Sealed | undefined =>
  isSealed(fact) && fact.cleared_in !== undefined ? fact.sealed : undefined;

/** Returns the time for people of what a job, or a request, wrote: the seeded time if it was given, else the clock. */
const shownAt = (event: LoggedEvent, seeded: string, job: JobRow | undefined): string =>
  job?.has_given_time === true ? seeded : event.metadata.recorded_at;

const isOfMemory = (one: Alive): boolean => {
  const { kind } = 'row' in one ? one.row : one.added;
  return kind === 'wm' || kind === 'cwm';
};

/** Returns the text of an opened memory: null if it was erased, and none if it was changed and cannot be opened. */
const openedText = (opened: Json | undefined): string | null =>
  opened === undefined ? null : (((opened as JsonObject | null)?.['text'] ?? '') as string);

const bodyOf = ({ body }: EntryRow | NewEntry): string => body;

const jobContainer = ({ stream, session_id }: JobRow): Container => ({
  name: stream,
  session_id,
  isGroup: true,
});

/** Returns the claims that decide on the stores of these streams, as far as they are known. */
export function claimStreamsOf(stores: readonly string[], known: readonly ClaimRow[]): string[] {
  const rawIds = new Map(known.map(({ stream, raw_id }) => [stream, raw_id]));
  const streams = new Set<string>();
  const addSession = (owner: string): void => {
    const name = storeOwnerStream('session', owner);
    streams.add(name);
    const id = rawIds.get(name);
    if (typeof id === 'string') streams.add(sessionClaimStream(id));
  };
  for (const store of stores) {
    const { space, owner } = storeOfStream(store);
    if (space === 'session') addSession(owner);
    if (space !== 'user') continue;
    const name = storeOwnerStream('user', owner);
    streams.add(name);
    const standIn = sessionOfUserId(rawIds.get(name) ?? null);
    if (standIn !== undefined) addSession(ownerName(standIn));
  }
  return [...streams];
}
