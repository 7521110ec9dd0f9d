import type { Sealed } from '#domain/held.js';
import type { EpisodeWithheld } from '#domain/consent/events.js';
import type { EpisodeSource } from '#domain/job/events.js';
import type { Json, JsonObject } from '#domain/json.js';
import { SealedTable } from '#read-model/sealed-table.js';

/** A row of the `entry` table. */
export interface EntryRow {
  /** The number of the episode in log order, counted from 1. */
  readonly ordinal: number;
  readonly episodic_id: string;
  readonly job_seed: string;
  readonly created_seeded_ts: string;
  /** The summary, after redaction. */
  readonly summary: string;
  readonly payload: Json;
  readonly sealed_payload: Sealed | null;
  readonly evidence: readonly JsonObject[];
  readonly provenance: { readonly trace_id: string; readonly reflective_log_id: string | null };
  readonly source: EpisodeSource;
  readonly type: string;
  readonly owner_sub: string;
  /** The user's id, folded (SPEC I9). */
  readonly owner_user_id: string | null;
  /** The hash h(ordinal) of SPEC J1. */
  readonly chain: string;
  readonly stream: string;
  readonly number: number;
  /** Distinct and sorted. */
  readonly tokens: readonly string[];
}

export const ENTRY = new SealedTable<EntryRow>('episodes.entry', ['ordinal'], {
  ordinal: 'plain',
  episodic_id: 'plain',
  job_seed: 'plain',
  created_seeded_ts: 'plain',
  summary: 'plain',
  payload: 'json',
  sealed_payload: 'json',
  evidence: 'json',
  provenance: 'json',
  source: 'plain',
  type: 'plain',
  owner_sub: 'plain',
  owner_user_id: 'plain',
  chain: 'plain',
  stream: 'plain',
  number: 'plain',
  tokens: 'plain',
});

/** A row of the `viewer` table. */
export interface ViewerRow {
  readonly user_id: string;
  readonly code: number;
}

export const VIEWER = new SealedTable<ViewerRow>('episodes.viewer', ['user_id'], {
  user_id: 'plain',
  code: 'plain',
});

/** The rows of the `withheld` table have the data of their events. */
export const WITHHELD = new SealedTable<EpisodeWithheld>('episodes.withheld', ['episodic_id'], {
  episodic_id: 'plain',
  consent_id: 'plain',
});
