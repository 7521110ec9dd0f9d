import type { EntryKind } from '#domain/search/kinds.js';
import type { Scope } from '#domain/search/scopes.js';
import { bigint, bool, int, json, orNull, text, type RowOf } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';

/** A note as a hit shows it. */
export interface NoteName {
  readonly namespace: readonly string[];
  readonly key: string;
  readonly version: number;
}

/** The entries that a search finds (SPEC Q1), with their place in the index: a partition has the entries of one kind that the same callers may read, and `ordinal` counts them from 0, in log order. */
export const ENTRY = readTable('search.entry', {
  key: ['partition', 'ordinal'],
  columns: {
    partition: int(),
    /** The number of the entry in its partition, in log order, from 0. */
    ordinal: int(),
    kind: text<EntryKind>(),
    scope: text<Scope>(),
    id: text(),
    title: text(),
    body: text(),
    /** The time that the ranking reads, which may be logical (SPEC I3). ISO 8601 in UTC. */
    time: text(),
    /** The time for people: the one that was given, else the clock (SPEC W6). */
    shown_at: text(),
    /** What the entry is in: its job, its store, or its namespace. */
    container: orNull(text()),
    space: orNull(text()),
    note: orNull(json<NoteName>()),
    /** The position in the log at which the entry appeared. */
    appeared: bigint(),
    /** The position in the log at which the entry disappeared; null for an entry that is there. */
    died: orNull(bigint()),
    stream: text(),
    /** The number and the hash of the event by which the entry appeared. */
    source_number: int(),
    source_hash: text(),
  },
  indexes: {
    entry_alive: '(stream, id) where died is null',
    entry_by_id: '(id)',
  },
});
export type EntryRow = RowOf<typeof ENTRY>;

/** The owner and the session of each job, which decide who may read its memory (SPEC I9), and what its times are. */
export const JOB = readTable('search.job', {
  key: ['stream'],
  columns: {
    stream: text(),
    owner_sub: text(),
    owner_user_id: orNull(text()),
    session_id: orNull(text()),
    /** True if a runtime gave the time of the job; else its seeded times are logical (SPEC W6). */
    has_given_time: bool(),
  },
});
export type JobRow = RowOf<typeof JOB>;

/**
 * The claims that decide who may read a store of the Memory Contract (SPEC I9, M2): a raw id claims a store's name;
 * an owner claims a session.
 */
export const CLAIM = readTable('search.claim', {
  key: ['stream'],
  columns: {
    stream: text(),
    /** The raw id that claimed a store's name; null for the claim of a session. */
    raw_id: orNull(text()),
    /** The owner of a session; null for the claim of a store's name. */
    owner_sub: orNull(text()),
    owner_user_id: orNull(text()),
  },
});
export type ClaimRow = RowOf<typeof CLAIM>;
