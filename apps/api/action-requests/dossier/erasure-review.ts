import { Injectable } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import {
  ERASURE_REASONS,
  type ErasureReason,
  erasureProposalOf,
} from '#domain/action-request/erasure.js';
import {
  ERASURE_OBSTACLES,
  type ErasureObstacle,
  erasureObstacles,
} from '#domain/action-request/erasure-obstacles.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { isMadeFor } from '#domain/action-request/persons.js';
import { clearValueOf } from '#domain/held.js';
import { subjectForms, subjectOf } from '#domain/privacy/subject.js';
import type { Actor } from '#domain/recorded-event.js';
import { SealedValueQueries } from '#projections/sealed-values/queries.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  list,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';
import { RetentionPeriod } from '../../privacy/retention-period.js';
import type { DossierPart, ReviewedRequest } from './dossier-part.js';

@ApiSchema({ description: 'Sealed values of the subject in one category of streams.' })
export class SealedKindDto {
  @ApiField(TEXT, {
    description:
      'The category: `job`, `sem`, `note`, `remembered`, `conversation`, `thread` or `request`.',
  })
  readonly kind!: string;

  @ApiField(WHOLE) readonly values!: number;
  @ApiField(WHOLE) readonly events!: number;
  @ApiField(WHOLE) readonly streams!: number;
  @ApiField(INSTANT) readonly first_recorded_at!: string;
  @ApiField(INSTANT) readonly last_recorded_at!: string;
}

@ApiSchema({ description: 'What an erasure destroys, and what keeps it from being executed.' })
export class ErasureReviewDto {
  @ApiField(TEXT, { description: `${subjectForms('`')}.` })
  readonly subject!: string;

  @ApiField(oneOf(...ERASURE_REASONS)) readonly reason_code!: ErasureReason;

  @ApiField(FLAG, { description: 'Whether the proposer asks for the own data.' })
  readonly is_own!: boolean;

  @ApiField(many(SealedKindDto), {
    description:
      'The values that nobody can open after the erasure, by category. Once it is executed, those under the destroyed keys.',
  })
  readonly destroys!: readonly SealedKindDto[];

  @ApiField(orNull(INSTANT), {
    description:
      'When the retention period ends, before which nobody executes it; null if it is over or the reason is legal. New data of the subject moves it.',
  })
  readonly retention_ends_at!: string | null;

  @ApiField(list(oneOf(...ERASURE_OBSTACLES)), {
    description: 'What keeps the caller from executing it now; empty if nothing does.',
  })
  readonly obstacles!: readonly ErasureObstacle[];
}

export class ErasureReviewFields {
  @ApiField(orNull(one(ErasureReviewDto)), { description: 'null for a request of another kind.' })
  readonly erasure!: ErasureReviewDto | null;
}

/** States what an erasure destroys, and who can execute it when (SPEC G6). */
@Injectable()
export class ErasureReview implements DossierPart<ErasureReviewFields> {
  constructor(
    private readonly values: SealedValueQueries,
    private readonly retention: RetentionPeriod,
  ) {}

  async of({ viewer, state }: ReviewedRequest): Promise<ErasureReviewFields> {
    return { erasure: await this.erasureOf(viewer, state) };
  }

  private async erasureOf(
    viewer: Actor,
    state: ActionRequestState,
  ): Promise<ErasureReviewDto | null> {
    const { request, deletion } = state;
    if (request?.kind !== 'erasure') return null;
    const proposal = erasureProposalOf(clearValueOf(request));
    const { subject } = proposal;
    const [destroys, end] = await Promise.all([
      this.values.kindsOf(subject, deletion?.kids),
      deletion === undefined ? this.retention.shownEndFor(proposal) : undefined,
    ]);
    const { proposer } = request;
    return {
      ...proposal,
      is_own: isMadeFor(proposer, request) || subject === subjectOf('sub', proposer.sub),
      destroys,
      retention_ends_at: end ?? null,
      obstacles: erasureObstacles(viewer, state, end),
    };
  }
}
