import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { MAX_CHARACTERS } from '#domain/free-text.js';
import { sameUser } from '#domain/canonical-key/canonical-key.js';
import { Refusal } from '#domain/errors/refusal.js';
import { redactionsOf } from '#domain/privacy/redactions.js';
import { consentStream } from '#domain/stream-names.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import { JobAccess } from '../ownership/job-access.js';
import type { ConsentStore } from '../platform/stores.js';
import { CONSENT_STORE } from '../platform/tokens.js';
import { ownUserOf } from './own-user.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { CONSENT_SCOPES, type ConsentScope } from '#domain/consent/events.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import { Answer } from '../platform/http/answer.js';
import { OneOf, SeedText, Text } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { ConsentDto } from './consent-view.js';

@Describes({
  summary: 'Give the token’s user’s consent to keep personal data, always sealed',
  roles: { own: ['user', 'agent'], of: 'self' },
  example: { text: 'You may keep my address.', scope: 'persistent' },
  answers: [201, ConsentDto],
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED'],
})
export class GiveConsent extends WriteRequest<ConsentDto> {
  @Text({
    min: 1,
    max: MAX_CHARACTERS,
    description: 'The words to which the user agrees.',
  })
  text!: string;

  @OneOf(CONSENT_SCOPES, {
    description: '`job`: for the data of one job; `persistent`: until it is revoked.',
  })
  scope!: ConsentScope;

  @SeedText({ optional: true, description: 'The job of a consent with scope `job`.' })
  job_seed?: string;
}

@CommandHandler(GiveConsent)
export class GiveConsentHandler {
  constructor(
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly jobs: JobAccess,
    private readonly owners: OwnerClaims,
    private readonly gate: PrivacyGate,
  ) {}

  async execute(consent: GiveConsent): Promise<Answer<object>> {
    const { actor, identity, scope, job_seed = null } = consent;
    const user_id = ownUserOf(actor);
    const redactor = this.gate.redactor();
    const text = redactor.text(consent.text, 'text');
    const words = await this.gate.beyondRules({ text, ...redactionsOf(redactor.redactions) });
    if (scope === 'job' && job_seed !== null) await this.requireOwner(user_id, job_seed);
    await this.owners.claim(user_id, identity);
    const given_at = identity.received_at;
    const given = await this.store.execute(
      consentStream(user_id),
      [{ type: 'give', user_id, scope, job_seed, given_at, ...words }],
      identity,
    );
    return Answer.written(onlyAnswer(given), given.position);
  }

  /** @throws Refusal NOT_FOUND if the job is not the user's */
  private async requireOwner(userId: string, seed: string): Promise<void> {
    const owner = await this.jobs.ownerOf(seed);
    if (owner.user_id === null || !sameUser(owner.user_id, userId))
      throw new Refusal('NOT_FOUND', { what: 'job', id: seed });
  }
}
