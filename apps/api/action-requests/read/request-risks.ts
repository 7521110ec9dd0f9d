import { Inject, Injectable } from '@nestjs/common';
import type { ActionRequested } from '#domain/action-request/events.js';
import { type Risk } from '#domain/action-request/risk-reasons.js';
import { citedEpisodes, riskOf } from '#domain/action-request/risk.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { currentFact } from '#domain/sem/state.js';
import { semStream } from '#domain/stream-names.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { EpisodeQueries } from '#projections/episodes/queries.js';
import type { SemStore } from '../../platform/stores.js';
import { SEM_STORE } from '../../platform/tokens.js';

/** Assesses requests by what is recorded now. All methods fail with `PostgresUnavailable`. */
@Injectable()
export class RequestRisks {
  constructor(
    @Inject(SEM_STORE) private readonly facts: SemStore,
    private readonly requests: ActionRequestQueries,
    private readonly episodes: EpisodeQueries,
  ) {}

  /** Returns the present risk of a pending request, else the risk that its last vote recorded. */
  async shown({ request, status, votes }: ActionRequestState): Promise<Risk | null> {
    if (request === null || status !== 'pending') return votes.at(-1)?.risk ?? null;
    return this.of(request);
  }

  /** Returns the present risk of a request. The list of requests computes the same in SQL. */
  async of(request: ActionRequested): Promise<Risk> {
    const [presentFact, executedAreas, cited] = await Promise.all([
      this.presentFact(request.target_sem_key),
      this.requests.executedAreas(request.proposer.sub),
      this.episodes.byIds(citedEpisodes(request)),
    ]);
    const citesExecutor = cited.some(({ source }) => source === 'executor');
    return riskOf(request, { presentFact, executedAreas, citesExecutor });
  }

  private async presentFact(key: string | null) {
    if (key === null) return null;
    const { state } = await this.facts.load(semStream(key));
    return currentFact(state) ?? null;
  }
}
