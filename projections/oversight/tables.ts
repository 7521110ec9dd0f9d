import type { AuditEvent } from '#domain/audit/events.js';
import type { ConsentScope } from '#domain/consent/events.js';
import { SealedTable } from '#read-model/sealed-table.js';

/** The events that have a row; what was redacted in one of them stands in the event itself. */
export type AuditEntryEvent = Exclude<AuditEvent, { type: 'pii_redacted' }>;

/** The types of the events that are entries. */
export const AUDIT_ENTRIES = [
  'admin_access_event',
  'command_refused',
  'data_integrity_warning',
] as const satisfies readonly AuditEntryEvent['type'][];

/** A row of the `audit_entry` table. */
export interface StoredAuditEntry {
  readonly position: string;
  readonly type: AuditEntryEvent['type'];
  /** The caller whose audit stream it is. */
  readonly sub: string;
  /** The stream that was read, or that the command would have written; null if unknown. */
  readonly about: string | null;
  /** Canonical JSON of the event's data. */
  readonly data: string;
  readonly trace_id: string;
  readonly recorded_at: string;
}

export const AUDIT_ENTRY = new SealedTable<StoredAuditEntry>(
  'oversight.audit_entry',
  ['position'],
  {
    position: 'bigint',
    type: 'plain',
    sub: 'plain',
    about: 'plain',
    data: 'plain',
    trace_id: 'plain',
    recorded_at: 'plain',
  },
);

/** A row of the `consent` table. */
export interface StoredConsent {
  readonly consent_id: string;
  readonly position: string;
  readonly user_id: string;
  readonly user_folded: string;
  readonly text: string;
  readonly scope: ConsentScope;
  readonly job_seed: string | null;
  readonly given_at: string;
  readonly revoked_at: string | null;
  readonly approved_by: string | null;
}

export const CONSENT = new SealedTable<StoredConsent>('oversight.consent', ['consent_id'], {
  consent_id: 'plain',
  position: 'bigint',
  user_id: 'plain',
  user_folded: 'plain',
  text: 'plain',
  scope: 'plain',
  job_seed: 'plain',
  given_at: 'plain',
  revoked_at: 'plain',
  approved_by: 'plain',
});
