import { auditDecider } from '#domain/audit/audit.decider.js';
import type { AuditEvent } from '#domain/audit/events.js';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { consentDecider } from '#domain/consent/consent.decider.js';
import type { ConsentEvent, ConsentScope } from '#domain/consent/events.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { hashOf } from '#read-model/checkpoint.js';
import { bigint, int, orNull, type RowWith, text } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import type { Logged } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';

/** The events that have a row; what was redacted in one of them stands in the event itself. */
export type AuditEntryEvent = Exclude<AuditEvent, { type: 'pii_redacted' }>;

export const AUDIT_ENTRIES = [
  'admin_access_event',
  'command_refused',
  'data_integrity_warning',
] as const satisfies readonly AuditEntryEvent['type'][];

const AUDIT_ENTRY_COLUMNS = {
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
  stream: text(),
  number: int(),
  event_hash: text(),
};
export type StoredAuditEntry = RowWith<typeof AUDIT_ENTRY_COLUMNS>;

/** One row per event of the audit streams: refused commands (SPEC I1), unredacted reads (SPEC G7) and warnings. */
export const AUDIT_ENTRY = foldedTable('oversight.audit_entry', {
  reads: [auditDecider],
  types: AUDIT_ENTRIES,
  key: ['position'],
  columns: AUDIT_ENTRY_COLUMNS,
  indexes: {
    audit_entry_sub: '(type, sub, position)',
    audit_entry_about: '(type, about, position)',
    audit_entry_type: '(type, position)',
  },
  adds: (event) => {
    const { type, data, position, metadata, stream, number } = event;
    return [
      {
        position: position.toString(),
        type,
        sub: metadata.actor,
        about: data.stream,
        data: canonicalJson(data),
        trace_id: metadata.trace_id,
        recorded_at: metadata.recorded_at,
        ...{ stream, number, event_hash: hashOf(event) },
      },
    ];
  },
});

const CONSENT_EVENTS = ['consent_given', 'consent_revoked', 'sensitive_consent_approved'] as const;
type ConsentChange = Extract<ConsentEvent, { type: (typeof CONSENT_EVENTS)[number] }>;

const CONSENT_COLUMNS = {
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
  /** Commit position of consent_revoked: until then, the consent held. */
  revoked_position: orNull(bigint()),
  /** The request by which the council approved data of category high. */
  approved_by: orNull(text()),
  approved_position: orNull(bigint()),
};
export type StoredConsent = RowWith<typeof CONSENT_COLUMNS>;

/** One row per consent (SPEC P4). */
export const CONSENT = foldedTable('oversight.consent', {
  reads: [consentDecider],
  types: CONSENT_EVENTS,
  key: ['consent_id'],
  columns: CONSENT_COLUMNS,
  unique: [['position']],
  indexes: {
    consent_user: '(user_folded, position)',
  },
  at: ({ data: { consent_id } }) => [{ consent_id }],
  row: consentAfter,
});

/** What people who watch over the memory read: audit streams and consents (SPEC I1, G7, P4). */
@Projector({ name: 'oversight', version: 3, tables: [AUDIT_ENTRY, CONSENT] })
export class OversightProjection {}

function consentAfter(
  before: StoredConsent | undefined,
  event: Logged<ConsentChange>,
): StoredConsent {
  const position = event.position.toString();
  if (event.type === 'consent_given') {
    const { consent_id, user_id, text, scope, job_seed, given_at } = event.data;
    const user_folded = foldUserId(user_id);
    const given = { consent_id, user_id, user_folded, text, scope, job_seed, given_at };
    const revoked = { revoked_at: null, revoked_position: null };
    return { ...given, position, ...revoked, approved_by: null, approved_position: null };
  }
  if (before === undefined) throw new Error('a consent changes before it is given');
  return event.type === 'consent_revoked'
    ? { ...before, revoked_at: event.data.revoked_at, revoked_position: position }
    : { ...before, approved_by: event.data.request_id, approved_position: position };
}
