import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { OversightQueries } from '#projections/oversight/queries.js';
import type { StoredConsent } from '#projections/oversight/oversight.projection.js';
import { Moments } from '../moments/moments.js';
import { Answer } from '../platform/http/answer.js';
import { At, OneOf, UserIdText } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { LogEnd } from '../platform/log-end.js';
import type { ConsentDto } from '../consents/consent-view.js';
import { NewestFirst } from './audit-page.js';
import { ConsentsPageDto } from './oversight-view.js';
import { pageOf } from '../platform/page.js';

const DEFAULT_PAGE = 50;
const CONSENT_STATUSES = ['given', 'revoked'] as const;

const view = ({
  user_folded: _,
  position: _position,
  revoked_position: _revoked,
  approved_position: _approved,
  approved_by,
  ...consent
}: StoredConsent): ConsentDto => ({ ...consent, sensitive_data_approved: approved_by !== null });

@Describes({
  summary: 'The consents of all users, newest first',
  roles: { all: ['admin', 'auditor', 'council'], of: 'self' },
  answers: [200, ConsentsPageDto],
  reads: ['oversight'],
})
export class ListAllConsents extends NewestFirst<ConsentsPageDto> {
  @UserIdText({ optional: true }) user_id?: string;
  @OneOf(CONSENT_STATUSES, { optional: true }) status?: (typeof CONSENT_STATUSES)[number];
  @At() at?: string;
}

@QueryHandler(ListAllConsents)
export class ListAllConsentsHandler implements IQueryHandler<ListAllConsents> {
  constructor(
    private readonly oversight: OversightQueries,
    private readonly logEnd: LogEnd,
    private readonly moments: Moments,
  ) {}

  async execute(asked: ListAllConsents): Promise<Answer<ConsentsPageDto>> {
    // Asked before the read, so that the answer says no more than it knows.
    const isCurrent = await this.logEnd.isReached('oversight');
    const asOf = await this.moments.positionAt(asked.at, 'oversight');
    const { user_id: userId, status, cursor: before, limit = DEFAULT_PAGE } = asked;
    const filter = { userId, status, asOf, before, limit: limit + 1 };
    const found = await this.oversight.consents(filter);
    const { rows, next_cursor } = pageOf(found, limit, ({ position }) => position);
    return Answer.asOf({ consents: rows.map(view), next_cursor }, asOf, isCurrent);
  }
}
