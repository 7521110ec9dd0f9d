import { Inject, Injectable } from '@nestjs/common';
import type { ActionRequested } from '#domain/action-request/events.js';
import type { Risk } from '#domain/action-request/risk-reasons.js';
import { Refusal } from '#domain/errors/refusal.js';
import { semStream } from '#domain/stream-names.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { laterOf } from '#read-model/later-of.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import type { ReadModels } from '../../platform/read-models.js';
import type { SemStore } from '../../platform/stores.js';
import { READ_MODELS, SEM_STORE } from '../../platform/tokens.js';

/** The read models that the statement of the risk reads. */
const READ = ['action_requests', 'sem', 'episodes'];

/** Reads the risk that a vote records. */
@Injectable()
export class RiskOfVote {
  constructor(
    @Inject(SEM_STORE) private readonly facts: SemStore,
    private readonly requests: ActionRequestQueries,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /**
   * Returns the risk once the read models show the request up to this position, and the fact that it would write.
   * Undefined if they do not in time, or cannot be read.
   */
  async of(
    { request_id, target_sem_key: key }: ActionRequested,
    position: bigint | undefined,
  ): Promise<Risk | undefined> {
    const fact = key === null ? undefined : (await this.facts.load(semStream(key))).position;
    try {
      await this.readModels.reach(laterOf(position, fact) ?? 0n, READ);
      return (await this.requests.riskOf(request_id)) ?? undefined;
    } catch (cause) {
      if (isUnreadable(cause)) return undefined;
      throw cause;
    }
  }
}

const isUnreadable = (cause: unknown): boolean =>
  cause instanceof PostgresUnavailable ||
  (cause instanceof Refusal && cause.code === 'PROJECTION_LAG');
