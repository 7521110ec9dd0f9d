import { Injectable } from '@nestjs/common';
import { erasureProposalOf } from '#domain/action-request/erasure.js';
import { erasureObstacles } from '#domain/action-request/erasure-obstacles.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { isMadeFor } from '#domain/action-request/persons.js';
import { clearValueOf } from '#domain/held.js';
import type { Actor } from '#domain/recorded-event.js';
import { SealedValueQueries } from '#projections/sealed-values/queries.js';
import { RetentionPeriod } from '../../privacy/retention-period.js';
import type { ErasureReviewDto } from './dossier-view.js';

/** States what an erasure destroys, and who can execute it when (SPEC G6). */
@Injectable()
export class ErasureReviews {
  constructor(
    private readonly values: SealedValueQueries,
    private readonly retention: RetentionPeriod,
  ) {}

  /** Returns null for a request of another kind. */
  async of(actor: Actor, state: ActionRequestState): Promise<ErasureReviewDto | null> {
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
      is_own: isMadeFor(proposer, request) || subject === `sub:${proposer.sub}`,
      destroys,
      retention_ends_at: end ?? null,
      obstacles: erasureObstacles(actor, state, end),
    };
  }
}
