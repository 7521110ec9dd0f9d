import { ApiSchema } from '@nestjs/swagger';
import type { CouncilFigures } from '#domain/action-request/council-figures.js';
import {
  type Bucket,
  BUCKETS,
  type FiguresInBucket,
} from '#domain/action-request/figures-over-time.js';
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
