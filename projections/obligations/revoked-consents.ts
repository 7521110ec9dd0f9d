import type { LoggedEvent } from '#event-store/event-store.js';
import type { ProjectionTransaction } from '#read-model/projection.js';

/** The consents that were revoked before an event of a batch. Nothing gives a revoked consent again. */
export class RevokedConsents {
  private constructor(
    private readonly ids: Set<string>,
    private readonly added: string[] = [],
  ) {}

  /** Reads which of the consents that the events name were revoked before them. */
  static async before(
    tx: ProjectionTransaction,
    events: readonly LoggedEvent[],
  ): Promise<RevokedConsents> {
    const named = new Set(
      events.flatMap(({ type, data: { consent_id } }) =>
        type !== 'consent_revoked' && typeof consent_id === 'string' ? [consent_id] : [],
      ),
    );
    if (named.size === 0) return new RevokedConsents(new Set());
    const rows = await tx.query<{ consent_id: string }>(
      'select consent_id from revoked_consent where consent_id = any($1::text[])',
      [[...named]],
    );
    return new RevokedConsents(new Set(rows.map(({ consent_id }) => consent_id)));
  }

  take({ type, data }: LoggedEvent): void {
    const { consent_id } = data;
    if (type !== 'consent_revoked' || typeof consent_id !== 'string') return;
    this.ids.add(consent_id);
    this.added.push(consent_id);
  }

  /** True if the event was written under a consent that was revoked before it. */
  coverNoMore({ data: { consent_id } }: LoggedEvent): boolean {
    return typeof consent_id === 'string' && this.ids.has(consent_id);
  }

  async write(tx: ProjectionTransaction): Promise<void> {
    if (this.added.length > 0)
      await tx.query('insert into revoked_consent select unnest($1::text[])', [this.added]);
  }
}
