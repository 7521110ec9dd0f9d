import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { consentView } from '#domain/consent/consent.decider.js';
import { consentStream } from '#domain/consent/state.js';
import type { Actor } from '#domain/recorded-event.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import type { ConsentStore } from '../platform/stores.js';
import { CONSENT_STORE } from '../platform/tokens.js';
import type { ConsentsDto } from './dto/consent.dto.js';
import { ownUserOf } from './own-user.js';

export class ListConsents extends Query<ConsentsDto> {
  constructor(readonly actor: Actor) {
    super();
  }
}

/** Lists the consents of the token's user, the revoked ones as well (SPEC P4). */
@QueryHandler(ListConsents)
export class ListConsentsHandler implements IQueryHandler<ListConsents> {
  constructor(
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly owners: OwnerClaims,
  ) {}

  async execute({ actor }: ListConsents): Promise<ConsentsDto> {
    const user = ownUserOf(actor);
    await this.owners.check(user);
    const { state } = await this.store.load(consentStream(user));
    return { consents: state.consents.map(consentView) };
  }
}
