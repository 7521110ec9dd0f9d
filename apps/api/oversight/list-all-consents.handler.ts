import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { OversightQueries } from '#projections/oversight/queries.js';
import type { StoredConsent } from '#projections/oversight/oversight.projection.js';
import { Answer } from '../platform/http/answer.js';
import { LogEnd } from '../platform/log-end.js';
import type { ConsentDto } from '../consents/dto/consent.dto.js';
import type { ConsentsPageDto, ConsentsQuery } from './dto/oversight.dto.js';

const DEFAULT_PAGE = 50;

const view = ({
  user_folded: _,
  position: _position,
  approved_by,
  ...consent
}: StoredConsent): ConsentDto => ({ ...consent, sensitive_data_approved: approved_by !== null });

export class ListAllConsents extends Query<Answer<ConsentsPageDto>> {
  constructor(readonly filter: ConsentsQuery) {
    super();
  }
}

/** Lists the consents of all users, or of one (SPEC P4). */
@QueryHandler(ListAllConsents)
export class ListAllConsentsHandler implements IQueryHandler<ListAllConsents> {
  constructor(
    private readonly oversight: OversightQueries,
    private readonly logEnd: LogEnd,
  ) {}

  async execute({ filter }: ListAllConsents): Promise<Answer<ConsentsPageDto>> {
    // The read waits for no write of the caller, because these roles write no consents.
    const isCurrent = await this.logEnd.isReached('oversight');
    const { user_id: userId, status, cursor: before, limit = DEFAULT_PAGE } = filter;
    const found = await this.oversight.consents({ userId, status, before, limit: limit + 1 });
    const page = found.slice(0, limit);
    const answer = {
      consents: page.map(view),
      next_cursor: found.length > limit ? (page.at(-1)?.position ?? null) : null,
    };
    return Answer.read(answer, isCurrent);
  }
}
