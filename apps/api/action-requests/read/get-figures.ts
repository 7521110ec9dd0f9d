import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { councilFigures, type CouncilFigures } from '#domain/action-request/council-figures.js';
import {
  type Bucket,
  BUCKETS,
  bucketFor,
  figuresOverTime,
  type FiguresInBucket,
} from '#domain/action-request/figures-over-time.js';
import { Refusal } from '#domain/errors/refusal.js';
import { normalizeTimestamp } from '#domain/sem/timestamp.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { Instant, OneOf } from '../../platform/http/fields.js';
import { OVERSIGHT } from '../request-fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';
import { ApiSchema } from '@nestjs/swagger';
import {
  ApiField,
  INSTANT,
  many,
  NUMBER,
  one,
  oneOf,
  orNull,
  WHOLE,
} from '../../platform/http/answer-fields.js';

@ApiSchema({ description: 'Shares are between 0 and 1; null if there is nothing to divide by.' })
export class CouncilFiguresDto implements CouncilFigures {
  @ApiField(WHOLE, { description: 'The requests that votes decided.' })
  readonly decided!: number;

  @ApiField(WHOLE) readonly approved!: number;
  @ApiField(WHOLE) readonly rejected!: number;
  @ApiField(WHOLE) readonly expired!: number;

  @ApiField(orNull(NUMBER), { description: 'From the request to its decision, in seconds.' })
  readonly median_seconds_to_decide!: number | null;

  @ApiField(orNull(NUMBER), { description: 'The rejected ones among the decided requests.' })
  readonly rejection_share!: number | null;

  @ApiField(orNull(NUMBER), {
    description: 'The decided requests whose value a reviewer replaced.',
  })
  readonly revision_share!: number | null;

  @ApiField(orNull(NUMBER), {
    description: 'The decided requests whose final value some approved and others rejected.',
  })
  readonly disagreement_share!: number | null;

  @ApiField(orNull(NUMBER), {
    description:
      'The votes against the outcome among the votes on the final value, without abstentions.',
  })
  readonly override_share!: number | null;

  @ApiField(orNull(NUMBER), { description: 'The expired ones among the closed requests.' })
  readonly expiry_share!: number | null;
}

class FiguresByKindDto {
  @ApiField(one(CouncilFiguresDto)) readonly sem_put!: CouncilFiguresDto;
  @ApiField(one(CouncilFiguresDto)) readonly sensitive_consent!: CouncilFiguresDto;
  @ApiField(one(CouncilFiguresDto)) readonly erasure!: CouncilFiguresDto;
}

export class FiguresInBucketDto extends CouncilFiguresDto implements FiguresInBucket {
  @ApiField(INSTANT) readonly from!: string;
  @ApiField(INSTANT) readonly to!: string;
}

/** The council's own figures. */
export class FiguresDto extends CouncilFiguresDto {
  @ApiField(INSTANT) readonly from!: string;
  @ApiField(INSTANT) readonly to!: string;
  @ApiField(one(FiguresByKindDto)) readonly by_kind!: FiguresByKindDto;
  @ApiField(oneOf(...BUCKETS)) readonly bucket!: Bucket;

  @ApiField(many(FiguresInBucketDto), {
    description:
      'The figures of each bucket, at most 1,000. The first and the last one end with the period.',
  })
  readonly series!: readonly FiguresInBucketDto[];
}

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

@QueryHandler(GetFigures)
export class GetFiguresHandler implements IQueryHandler<GetFigures> {
  constructor(private readonly requests: ActionRequestQueries) {}

  async execute(filter: GetFigures): Promise<FiguresDto> {
    const to = normalizeTimestamp(filter.to ?? new Date().toISOString());
    const before = new Date(Date.parse(to) - DEFAULT_MS).toISOString();
    const from = normalizeTimestamp(filter.from ?? before);
    if (from >= to)
      throw new Refusal('INVALID_INPUT', { reason: 'from, to: must be in this order' });
    const period = { from, to };
    const bucket = filter.bucket ?? bucketFor(period);
    const closed = await this.requests.closedBetween(from, to);
    const series = figuresOverTime(closed, bucket, period);
    return { ...period, ...councilFigures(closed), bucket, series };
  }
}
