import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { wouldBeRefused } from '#domain/action-request/recheck.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import type { RechecksDto } from '../dto/rechecks.dto.js';
import { QueueRecheck } from './queue-recheck.js';

export class RecheckRequests extends Query<RechecksDto> {
  constructor(readonly ids: readonly string[]) {
    super();
  }
}

/** Checks the named requests again: what has changed, and whether an approval would be refused now. */
@QueryHandler(RecheckRequests)
export class RecheckRequestsHandler implements IQueryHandler<RecheckRequests> {
  constructor(
    private readonly requests: ActionRequestQueries,
    private readonly checks: QueueRecheck,
  ) {}

  async execute({ ids }: RecheckRequests): Promise<RechecksDto> {
    const findings = await this.checks.of(await this.requests.byIds(ids));
    return {
      results: ids.map((request_id) => {
        const recheck = findings.get(request_id) ?? null;
        return { request_id, would_be_refused: wouldBeRefused(recheck ?? []), recheck };
      }),
    };
  }
}
