import { Injectable } from '@nestjs/common';
import type { CheckedRequest, RecheckFinding } from '#domain/action-request/recheck.js';
import { inParallel } from '#platform/in-parallel.js';
import type { PlacedRequest } from '#projections/action-requests/queries.js';
import { CitedEvidence } from '../evidence/cited-evidence.js';
import { RequestRecheck } from './request-recheck.js';
import { SourceEvents, type StandingWrite, writesAround } from '../evidence/source-events.js';

/** The number of facts that are read at the same time. */
const AT_ONCE = 16;

/**
 * Checks several waiting requests again, as the dossier of each does. What several of them rest on is read once. The
 * findings are advice: they are not stored, and change no decision.
 */
@Injectable()
export class QueueRecheck {
  constructor(
    private readonly events: SourceEvents,
    private readonly cited: CitedEvidence,
    private readonly checks: RequestRecheck,
  ) {}

  /**
   * Returns the findings of the pending requests, by id. Fails with `EventStoreUnavailable`, `PostgresUnavailable`
   * and `KeysUnavailable`.
   */
  async of(
    requests: readonly PlacedRequest[],
  ): Promise<ReadonlyMap<string, readonly RecheckFinding[]>> {
    const pending = requests.filter(({ status }) => status === 'pending');
    const [citations, writes] = await Promise.all([
      this.cited.ofMany(pending),
      this.writesFor(pending),
    ]);
    const checked = await Promise.all(
      pending.map(async (request, index) => {
        const { target_sem_key: key, position } = request;
        const ofKey = (key === null ? undefined : writes.get(key)) ?? [];
        const around = { ...writesAround(ofKey, BigInt(position)), ...citations[index]! };
        return [request.request_id, await this.checks.of(checkedOf(request), around)] as const;
      }),
    );
    return new Map(checked);
  }

  /** Returns the writes of each target, back to before the first request for it. */
  private async writesFor(requests: readonly PlacedRequest[]) {
    const since = new Map<string, bigint>();
    for (const { target_sem_key: key, position } of requests) {
      if (key === null) continue;
      const [at, earliest] = [BigInt(position), since.get(key)];
      since.set(key, earliest === undefined || at < earliest ? at : earliest);
    }
    const writes = await inParallel([...since], AT_ONCE, async ([key, position]) => {
      return [key, await this.events.writesBackTo(key, position)] as const;
    });
    return new Map<string, readonly StandingWrite[]>(writes);
  }
}

const checkedOf = ({
  held,
  job_seed,
  finding_category,
  ...request
}: PlacedRequest): CheckedRequest => ({
  ...request,
  ...held,
  ...(job_seed === null ? {} : { job_seed }),
  ...(finding_category === null ? {} : { finding_category }),
});
