import { consentDecider } from '#domain/consent/consent.decider.js';
import type { Sealed } from '#domain/held.js';
import type { EpisodeSource } from '#domain/job/events.js';
import type { Json, JsonObject } from '#domain/json.js';
import { int, json, orNull, text, texts, type RowOf } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import { readTable } from '#read-model/read-table.js';

type Provenance = {
  readonly trace_id: string;
  readonly reflective_log_id: string | null;
};

/** The entries (000 §7, SPEC E1, E5) with their place in the log: `ordinal` counts from 1, and `chain` is h(n) of SPEC J1. */
export const ENTRY = readTable('episodes.entry', {
  key: ['ordinal'],
  columns: {
    /** The number of the episode in log order, counted from 1. */
    ordinal: int(),
    episodic_id: text(),
    job_seed: text(),
    created_seeded_ts: text(),
    /** The summary, after redaction. */
    summary: text(),
    payload: orNull(json<Json>()),
    sealed_payload: orNull(json<Sealed>()),
    evidence: json<readonly JsonObject[]>(),
    provenance: json<Provenance>(),
    source: text<EpisodeSource>(),
    type: text(),
    owner_sub: text(),
    /** The user's id, folded (SPEC I9). */
    owner_user_id: orNull(text()),
    /** The hash h(ordinal) of SPEC J1. */
    chain: text(),
    stream: text(),
    number: int(),
    /** Distinct and sorted. */
    tokens: texts(),
  },
  unique: [['episodic_id'], ['chain']],
  indexes: {
    entry_by_created_seeded_ts: '(created_seeded_ts)',
    entry_by_token: 'using gin (tokens)',
    entry_by_job: '(job_seed)',
  },
});
export type EntryRow = RowOf<typeof ENTRY>;

export const VIEWER = readTable('episodes.viewer', {
  key: ['user_id'],
  columns: {
    user_id: text(),
    code: int(),
  },
});
export type ViewerRow = RowOf<typeof VIEWER>;

/** The episodes whose payloads are shown to nobody, because their consent was revoked beside the write (SPEC P4). */
export const WITHHELD = foldedTable('episodes.withheld', {
  reads: [consentDecider],
  types: ['episode_withheld'],
  key: ['episodic_id'],
  columns: {
    episodic_id: text(),
    consent_id: text(),
  },
  adds: ({ data: { episodic_id, consent_id } }) => [{ episodic_id, consent_id }],
  keepsFirst: true,
});
export type WithheldRow = RowOf<typeof WITHHELD>;
