import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { consentView } from '#domain/consent/consent.decider.js';
import { consentStream, streamOfConsent } from '#domain/consent/state.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import { Answer } from '../platform/http/answer.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { ConsentStore } from '../platform/stores.js';
import { CONSENT_STORE } from '../platform/tokens.js';
import { ownUserOf } from './own-user.js';

export class RevokeConsent extends Command<Answer<Json>> {
  constructor(
    readonly actor: Actor,
    readonly consentId: string,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** Revokes a consent of the token's user. What was kept under it stays sealed (SPEC P4). */
@CommandHandler(RevokeConsent)
export class RevokeConsentHandler implements ICommandHandler<RevokeConsent> {
  constructor(
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly owners: OwnerClaims,
  ) {}

  async execute({ actor, consentId, identity }: RevokeConsent): Promise<Answer<Json>> {
    const user = ownUserOf(actor);
    await this.owners.check(user);
    const stream = consentStream(user);
    if (streamOfConsent(consentId) !== stream)
      throw new Refusal('NOT_FOUND', { what: 'consent', id: consentId });
    const revoked_at = identity.received_at;
    const { after, position } = await this.store.execute(
      stream,
      [{ type: 'revoke', consent_id: consentId, revoked_at }],
      identity,
    );
    const consent = after.state.consents.find(({ consent_id }) => consent_id === consentId);
    if (consent === undefined) throw new Refusal('NOT_FOUND', { what: 'consent', id: consentId });
    return Answer.written(consentView(consent), position);
  }
}
