import { Inject, Injectable } from '@nestjs/common';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import { eventId } from '#domain/determinism/ids.js';
import { Refusal } from '#domain/errors/refusal.js';
import { isSealed } from '#domain/held.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { FactChanged, PutFact } from '#domain/sem/decide.js';
import { currentFact, type SemState } from '#domain/sem/state.js';
import { type Executed, readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import type { SemStore } from '../platform/stores.js';
import { EVENT_STORE, SEM_STORE } from '../platform/tokens.js';
import { Consents } from './consents.js';

/** Puts facts, those with personal data only under a consent that stands until the fact is in the log (SPEC P4). */
@Injectable()
export class ConsentedFacts {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(SEM_STORE) private readonly facts: SemStore,
    private readonly consents: Consents,
  ) {}

  /**
   * Puts a fact. If its consent was revoked while it was written, and the revocation came first in the log, the fact is
   * deleted again. @throws Refusal PRIVACY_BLOCKED then, and what `execute` throws
   */
  async put(
    stream: string,
    put: PutFact,
    identity: CommandIdentity,
  ): Promise<Executed<SemState, FactChanged>> {
    const executed = await this.facts.execute(stream, [put], identity);
    const { consent_id } = put;
    if (consent_id === undefined || !isSealed(put)) return executed;
    if (!(await this.consents.isRevokedBefore(consent_id, executed.position))) return executed;
    await this.deleteAgain(stream, consent_id, executed.version, identity.trace_id);
    throw new Refusal('PRIVACY_BLOCKED', { finding_types: put.sealed.type.replaceAll(',', ', ') });
  }

  /** Deletes a stream's fact if its consent was revoked before it, for a put whose process has died. */
  async deleteLate(stream: string): Promise<void> {
    let last: LoggedEvent | undefined;
    for await (const event of readRecorded(this.eventStore, stream))
      if (event.type.startsWith('fact_') && event.data['superseded'] !== true) last = event;
    const consentId = last?.data['consent_id'];
    if (last?.type !== 'fact_put' || typeof consentId !== 'string') return;
    if (await this.consents.isRevokedBefore(consentId, last.position))
      await this.deleteAgain(stream, consentId, last.number, last.metadata.trace_id);
  }

  /** Deletes the fact if it is still the one that was kept under the consent. A repetition adds nothing. */
  private async deleteAgain(
    stream: string,
    consentId: string,
    version: number,
    trace_id: string,
  ): Promise<void> {
    const caused_by = eventId(stream, version, 'fact_put');
    const now = new Date().toISOString();
    await this.facts.execute(
      stream,
      (state) => {
        const fact = currentFact(state);
        if (fact?.consent_id !== consentId) return [];
        const { source } = fact;
        // The deletion must win over a fact whose time is later than this clock's (SPEC S3).
        const timestamp = fact.timestamp > now ? fact.timestamp : now;
        return [{ type: 'delete', source, timestamp, now }];
      },
      identityOfStep(caused_by, [stream, caused_by, 'consent revoked'], trace_id),
    );
  }
}
