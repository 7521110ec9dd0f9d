import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { consentView } from '#domain/consent/consent.decider.js';
import { consentStream } from '#domain/stream-names.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import type { ConsentStore } from '../platform/stores.js';
import { CONSENT_STORE } from '../platform/tokens.js';
import { ConsentsDto } from './consent-view.js';
import { ownUserOf } from './own-user.js';
import { Describes, ReadRequest } from '../platform/http/request.js';

@Describes({
  summary: 'The consents of the token’s user',
  roles: { own: ['user', 'agent'], of: 'self' },
  answers: [200, ConsentsDto],
})
export class ListConsents extends ReadRequest<ConsentsDto> {}

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
