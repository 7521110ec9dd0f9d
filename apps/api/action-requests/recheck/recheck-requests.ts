import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { wouldBeRefused, type RecheckFinding } from '#domain/action-request/recheck.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { QueueRecheck } from './queue-recheck.js';
import { TextList } from '../../platform/http/fields.js';
import { OVERSIGHT } from '../request-fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';
import { ApiSchema } from '@nestjs/swagger';
import { ApiField, FLAG, many, orNull, TEXT } from '../../platform/http/answer-fields.js';
import { RecheckDto } from './recheck-view.js';

@ApiSchema({ description: 'What a request has come to while it waits.' })
export class RecheckedRequestDto {
  @ApiField(TEXT) readonly request_id!: string;

  @ApiField(FLAG, {
    description: 'Whether its approval would be refused now, or would change nothing.',
  })
  readonly would_be_refused!: boolean;

  @ApiField(orNull(many(RecheckDto)), {
    description:
      'What has changed since the proposal, and what would refuse the approval now; null for a request that does not exist or does not wait.',
  })
  readonly recheck!: readonly RecheckFinding[] | null;
}

export class RechecksDto {
  @ApiField(many(RecheckedRequestDto), { description: 'In the order of the ids.' })
  readonly results!: readonly RecheckedRequestDto[];
}

@Describes({
  summary:
    'Check up to 100 waiting requests again: what has changed, and whether an approval would be refused now. Nothing is recorded',
  roles: OVERSIGHT,
  answers: [200, RechecksDto],
  reads: ['action_requests', 'sem', 'episodes'],
})
export class RecheckRequests extends ReadRequest<RechecksDto> {
  @TextList({ max: 100, maxLength: 256, description: 'The ids of the requests.' })
  request_ids!: string[];
}

@QueryHandler(RecheckRequests)
export class RecheckRequestsHandler implements IQueryHandler<RecheckRequests> {
  constructor(
    private readonly requests: ActionRequestQueries,
    private readonly checks: QueueRecheck,
  ) {}

  async execute({ request_ids: ids }: RecheckRequests): Promise<RechecksDto> {
    const findings = await this.checks.of(await this.requests.byIds(ids));
    return {
      results: ids.map((request_id) => {
        const recheck = findings.get(request_id) ?? null;
        return { request_id, would_be_refused: wouldBeRefused(recheck ?? []), recheck };
      }),
    };
  }
}
