import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { OversightQueries } from '#projections/oversight/queries.js';
import type { StoredConsent } from '#projections/oversight/oversight.projection.js';
import { Answer } from '../platform/http/answer.js';
import { OneOf, UserIdText } from '../platform/http/fields.js';
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
}

@QueryHandler(ListAllConsents)
export class ListAllConsentsHandler implements IQueryHandler<ListAllConsents> {
  constructor(
    private readonly oversight: OversightQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async execute(asked: ListAllConsents): Promise<Answer<ConsentsPageDto>> {
    // The read waits for no write of the caller, because these roles write no consents.
    const isCurrent = await this.logEnd.isReached('oversight');
    const { user_id: userId, status, cursor: before, limit = DEFAULT_PAGE } = asked;
    const found = await this.oversight.consents({ userId, status, before, limit: limit + 1 });
    const { rows, next_cursor } = pageOf(found, limit, ({ position }) => position);
    return Answer.read({ consents: rows.map(view), next_cursor }, isCurrent);
  }
}
