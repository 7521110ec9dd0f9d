import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { consentView } from '#domain/consent/consent.decider.js';
import { CONSENT_ID } from '#domain/consent/state.js';
import { Refusal } from '#domain/errors/refusal.js';
import { consentStream, streamOfConsent } from '#domain/stream-names.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import { Answer } from '../platform/http/answer.js';
import type { ConsentStore } from '../platform/stores.js';
import { CONSENT_STORE } from '../platform/tokens.js';
import { ownUserOf } from './own-user.js';
import { Text } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { ConsentDto } from './consent-view.js';

@Describes({
  summary: 'Revoke a consent; later writes cannot rely on it',
  roles: { own: ['user', 'agent'], of: 'self' },
  answers: [200, ConsentDto],
  fails: ['NOT_FOUND'],
})
export class RevokeConsent extends WriteRequest<ConsentDto> {
  @Text({ min: 1, max: 128, pattern: CONSENT_ID, form: 'be the consent_id of an answer' })
  id!: string;
}

/** Revokes a consent of the token's user. What was kept under it stays sealed (SPEC P4). */
@CommandHandler(RevokeConsent)
export class RevokeConsentHandler {
  constructor(
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly owners: OwnerClaims,
  ) {}

  async execute({ actor, id, identity }: RevokeConsent): Promise<Answer<ConsentDto>> {
    const user = ownUserOf(actor);
    await this.owners.check(user);
    const stream = consentStream(user);
    if (streamOfConsent(id) !== stream) throw new Refusal('NOT_FOUND', { what: 'consent', id });
    const revoked_at = identity.received_at;
    const { after, position } = await this.store.execute(
      stream,
      [{ type: 'revoke', consent_id: id, revoked_at }],
      identity,
    );
    const consent = after.state.consents.find(({ consent_id }) => consent_id === id);
    if (consent === undefined) throw new Refusal('NOT_FOUND', { what: 'consent', id });
    return Answer.written(consentView(consent), position);
  }
}
