import { consentDecider } from '#domain/consent/consent.decider.js';
import { auditDecider } from '#domain/audit/audit.decider.js';
import type { ConsentEvent } from '#domain/consent/events.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import type { Shown } from '#read-model/read-table.js';
import {
  AUDIT_ENTRIES,
  AUDIT_ENTRY,
  type AuditEntryEvent,
  CONSENT,
  type StoredAuditEntry,
  type StoredConsent,
} from './tables.js';

const CONSENT_EVENTS = ['consent_given', 'consent_revoked', 'sensitive_consent_approved'] as const;
type OversightEvent = AuditEntryEvent | ConsentChange;
type ConsentChange = Extract<ConsentEvent, { type: (typeof CONSENT_EVENTS)[number] }>;
const isConsentChange = (event: Logged<OversightEvent>): event is Logged<ConsentChange> =>
  (CONSENT_EVENTS as readonly string[]).includes(event.type);

/** What people who watch over the memory read: audit streams and consents (SPEC I1, G7, P4). */
@Projector({
  name: 'oversight',
  version: 1,
  tables: [AUDIT_ENTRY, CONSENT],
  reads: [auditDecider, consentDecider],
  types: [...AUDIT_ENTRIES, ...CONSENT_EVENTS],
})
export class OversightProjection implements EventProjector<OversightEvent> {
  constructor(private readonly seals: RowSeals) {}

  async project(
    tx: ProjectionTransaction,
    events: readonly Logged<OversightEvent>[],
  ): Promise<void> {
    const audits = events.filter((event) => !isConsentChange(event));
    await AUDIT_ENTRY.insert(tx, this.seals, audits.map(auditEntry));
    await this.projectConsents(tx, events.filter(isConsentChange));
  }

  private async projectConsents(
    tx: ProjectionTransaction,
    events: readonly Logged<ConsentChange>[],
  ): Promise<void> {
    if (events.length === 0) return;
    const ids = [...new Set(events.map(({ data }) => data.consent_id))];
    const found = await CONSENT.find(tx, this.seals, 'consent_id = any($1::text[])', [ids]);
    const rows = new Map(found.map((row) => [row.consent_id, row]));
    const changed = new Map<string, Shown<StoredConsent>>();
    for (const event of events) {
      const row = consentAfter(rows.get(event.data.consent_id), event);
      rows.set(row.consent_id, row);
      changed.set(row.consent_id, { row, event: event });
    }
    await CONSENT.replace(tx, this.seals, [...changed.values()]);
  }
}

function auditEntry(event: Logged<AuditEntryEvent>): Shown<StoredAuditEntry> {
  const { type, data, position, metadata } = event;
  const row = {
    position: position.toString(),
    type,
    sub: metadata.actor,
    about: data.stream,
    data: canonicalJson(data),
    trace_id: metadata.trace_id,
    recorded_at: metadata.recorded_at,
  };
  return { row, event };
}

function consentAfter(
  before: StoredConsent | undefined,
  event: Logged<ConsentChange>,
): StoredConsent {
  if (event.type === 'consent_given') {
    const { consent_id, user_id, text, scope, job_seed, given_at } = event.data;
    const user_folded = foldUserId(user_id);
    const given = { consent_id, user_id, user_folded, text, scope, job_seed, given_at };
    const position = event.position.toString();
    return { ...given, position, revoked_at: null, approved_by: null };
  }
  if (before === undefined) throw new Error('a consent changes before it is given');
  return event.type === 'consent_revoked'
    ? { ...before, revoked_at: event.data.revoked_at }
    : { ...before, approved_by: event.data.request_id };
}
