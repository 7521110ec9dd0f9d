import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { sameUser } from '#domain/canonical-key/canonical-key.js';
import { consentStream } from '#domain/consent/state.js';
import { Refusal } from '#domain/errors/refusal.js';
import { redactionsOf } from '#domain/privacy/redactions.js';
import type { Actor } from '#domain/recorded-event.js';
import type { Executed } from '#event-store/aggregate-store.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import { JobAccess } from '../ownership/job-access.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { ConsentStore } from '../platform/stores.js';
import { CONSENT_STORE } from '../platform/tokens.js';
import type { GiveConsentDto } from './dto/consent.dto.js';
import { ownUserOf } from './own-user.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';

export class GiveConsent extends Command<Executed> {
  constructor(
    readonly actor: Actor,
    readonly body: GiveConsentDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** Records the consent of the token's user (SPEC P4). */
@CommandHandler(GiveConsent)
export class GiveConsentHandler implements ICommandHandler<GiveConsent> {
  constructor(
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly jobs: JobAccess,
    private readonly owners: OwnerClaims,
    private readonly gate: PrivacyGate,
  ) {}

  async execute({ actor, body, identity }: GiveConsent): Promise<Executed> {
    const user_id = ownUserOf(actor);
    const { scope, job_seed = null } = body;
    const redactor = this.gate.redactor();
    const text = redactor.text(body.text, 'text');
    const words = await this.gate.beyondRules({ text, ...redactionsOf(redactor.redactions) });
    if (scope === 'job' && job_seed !== null) await this.requireOwner(user_id, job_seed);
    await this.owners.claim(user_id, identity);
    const given_at = identity.received_at;
    return this.store.execute(
      consentStream(user_id),
      [{ type: 'give', user_id, scope, job_seed, given_at, ...words }],
      identity,
    );
  }

  /** @throws Refusal NOT_FOUND if the job is not the user's */
  private async requireOwner(userId: string, seed: string): Promise<void> {
    const owner = await this.jobs.ownerOf(seed);
    if (owner.user_id === null || !sameUser(owner.user_id, userId))
      throw new Refusal('NOT_FOUND', { what: 'job', id: seed });
  }
}
