import type { SearchKind } from '#domain/search/kinds.js';
import type { Scope } from '#domain/search/scopes.js';
import { SealedTable } from '#read-model/sealed-table.js';

/** A note as a hit shows it. */
export interface NoteName {
  readonly namespace: readonly string[];
  readonly key: string;
  readonly version: number;
}

/** A row of the `entry` table. */
export interface EntryRow {
  readonly partition: number;
  /** The number of the entry in its partition, in log order, from 0. */
  readonly ordinal: number;
  readonly kind: SearchKind;
  readonly scope: Scope;
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly container: string | null;
  readonly space: string | null;
  readonly note: NoteName | null;
  /** The position in the log at which the entry appeared. */
  readonly appeared: string;
  /** The position in the log at which the entry disappeared; null for an entry that is there. */
  readonly died: string | null;
  readonly stream: string;
  /** The number and the hash of the event by which the entry appeared. */
  readonly source_number: number;
  readonly source_hash: string;
}

export const ENTRY = new SealedTable<EntryRow>('search.entry', ['partition', 'ordinal'], {
  partition: 'plain',
  ordinal: 'plain',
  kind: 'plain',
  scope: 'plain',
  id: 'plain',
  title: 'plain',
  body: 'plain',
  time: 'plain',
  container: 'plain',
  space: 'plain',
  note: 'json',
  appeared: 'bigint',
  died: 'bigint',
  stream: 'plain',
  source_number: 'plain',
  source_hash: 'plain',
});

/** A row of the `job` table. */
export interface JobRow {
  readonly stream: string;
  readonly owner_sub: string;
  readonly owner_user_id: string | null;
  readonly session_id: string | null;
}

export const JOB = new SealedTable<JobRow>('search.job', ['stream'], {
  stream: 'plain',
  owner_sub: 'plain',
  owner_user_id: 'plain',
  session_id: 'plain',
});

/** A row of the `claim` table. */
export interface ClaimRow {
  readonly stream: string;
  /** The raw id that claimed a store's name; null for the claim of a session. */
  readonly raw_id: string | null;
  /** The owner of a session; null for the claim of a store's name. */
  readonly owner_sub: string | null;
  readonly owner_user_id: string | null;
}

export const CLAIM = new SealedTable<ClaimRow>('search.claim', ['stream'], {
  stream: 'plain',
  raw_id: 'plain',
  owner_sub: 'plain',
  owner_user_id: 'plain',
});
