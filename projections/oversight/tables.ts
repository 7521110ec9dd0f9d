import type { AuditEvent } from '#domain/audit/events.js';
import type { ConsentScope } from '#domain/consent/events.js';
import { bigint, orNull, text, type RowOf } from '#read-model/columns.js';
import { readTable } from '#read-model/read-table.js';

/** The events that have a row; what was redacted in one of them stands in the event itself. */
export type AuditEntryEvent = Exclude<AuditEvent, { type: 'pii_redacted' }>;

/** The types of the events that are entries. */
export const AUDIT_ENTRIES = [
  'admin_access_event',
  'command_refused',
  'data_integrity_warning',
] as const satisfies readonly AuditEntryEvent['type'][];

/** One row per event of the audit streams: refused commands (SPEC I1), unredacted reads (SPEC G7) and warnings. */
export const AUDIT_ENTRY = readTable('oversight.audit_entry', {
  key: ['position'],
  columns: {
    /** Commit position of the event: the order of lists, and their cursor. */
    position: bigint(),
    type: text<AuditEntryEvent['type']>(),
    /** The caller whose audit stream it is. */
    sub: text(),
    /** The stream that was read, or that the command would have written; null if unknown. */
    about: orNull(text()),
    /** Canonical JSON of the event's data. */
    data: text(),
    trace_id: text(),
    recorded_at: text(),
  },
  indexes: {
    audit_entry_sub: '(type, sub, position)',
    audit_entry_about: '(type, about, position)',
    audit_entry_type: '(type, position)',
  },
});
/** A row of the table `audit_entry`. */
export type StoredAuditEntry = RowOf<typeof AUDIT_ENTRY>;

/** One row per consent (SPEC P4). */
export const CONSENT = readTable('oversight.consent', {
  key: ['consent_id'],
  columns: {
    consent_id: text(),
    /** Commit position of consent_given: the order of lists, and their cursor. */
    position: bigint(),
    user_id: text(),
    /** Folded: case and an initial `user_` do not matter (SPEC I9). */
    user_folded: text(),
    text: text(),
    scope: text<ConsentScope>(),
    job_seed: orNull(text()),
    given_at: text(),
    revoked_at: orNull(text()),
    /** The request by which the council approved data of category high. */
    approved_by: orNull(text()),
  },
  unique: [['position']],
  indexes: {
    consent_user: '(user_folded, position)',
  },
});
/** A row of the table `consent`. */
export type StoredConsent = RowOf<typeof CONSENT>;
