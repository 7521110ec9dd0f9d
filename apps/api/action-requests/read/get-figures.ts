import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { councilFigures } from '#domain/action-request/council-figures.js';
import {
  type Bucket,
  BUCKETS,
  bucketFor,
  figuresOverTime,
} from '#domain/action-request/figures-over-time.js';
import { Refusal } from '#domain/errors/refusal.js';
import { normalizeTimestamp } from '#domain/sem/timestamp.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { FiguresDto } from '../dto/figures.dto.js';
import { Instant, OneOf } from '../../platform/http/fields.js';
import { OVERSIGHT } from '../request-fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';

const DEFAULT_MS = 30 * 24 * 3_600_000;

@Describes({
  summary: 'The council’s own figures for the requests that were closed in a period',
  roles: OVERSIGHT,
  answers: [200, FiguresDto],
  reads: ['action_requests'],
})
export class GetFigures extends ReadRequest<FiguresDto> {
  @Instant({ optional: true, description: 'The first time; by default 30 days before `to`.' })
  from?: string;

  @Instant({
    optional: true,
    description: 'The time before which a request was closed; by default now.',
  })
  to?: string;

  @OneOf(BUCKETS, {
    optional: true,
    description:
      'The length of a bucket of `series`, in UTC; weeks begin on Monday. By default the one that suits the length of the period.',
  })
  bucket?: Bucket;
}

/** Returns the council's own figures for the requests that were closed in a period, in all and over time. */
@QueryHandler(GetFigures)
export class GetFiguresHandler implements IQueryHandler<GetFigures> {
  constructor(private readonly requests: ActionRequestQueries) {}

  async execute(filter: GetFigures): Promise<FiguresDto> {
    const to = normalizeTimestamp(filter.to ?? new Date().toISOString());
    const before = new Date(Date.parse(to) - DEFAULT_MS).toISOString();
    const from = normalizeTimestamp(filter.from ?? before);
    if (from >= to) throw new Refusal('INVALID_INPUT', { reason: 'from must be before to' });
    const period = { from, to };
    const bucket = filter.bucket ?? bucketFor(period);
    const closed = await this.requests.closedBetween(from, to);
    const series = figuresOverTime(closed, bucket, period);
    return { ...period, ...councilFigures(closed), bucket, series };
  }
}
