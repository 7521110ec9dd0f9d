import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { consentView } from '#domain/consent/consent.decider.js';
import { consentStream } from '#domain/stream-names.js';
import { Moments } from '../moments/moments.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import { Answer } from '../platform/http/answer.js';
import { At } from '../platform/http/fields.js';
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
export class ListConsents extends ReadRequest<Answer<ConsentsDto>> {
  @At() at?: string;
}

@QueryHandler(ListConsents)
export class ListConsentsHandler implements IQueryHandler<ListConsents> {
  constructor(
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly owners: OwnerClaims,
    private readonly moments: Moments,
  ) {}

  async execute({ actor, at }: ListConsents): Promise<Answer<ConsentsDto>> {
    const user = ownUserOf(actor);
    await this.owners.check(user);
    const asOf = await this.moments.positionAt(at);
    const stream = consentStream(user);
    const { state } =
      asOf === undefined
        ? await this.store.load(stream)
        : await this.store.loadAtPosition(stream, asOf);
    return Answer.asOf({ consents: state.consents.map(consentView) }, asOf);
  }
}
