import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { hashJson } from '#domain/determinism/hash.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';

export interface RecordedRequest {
  readonly request_id: string;
  readonly proposal_hash: string;
}

/**
 * Records a request in the log as the service does, but with any times: the service's shortest expiry is an
 * hour.
 */
export async function recordRequest(
  eventStore: EventStore,
  request: {
    readonly request_id: string;
    readonly target_sem_key: string;
    readonly proposer: string;
    readonly requested_at: Date;
    readonly expires_at: Date;
  },
): Promise<RecordedRequest> {
  const { request_id, target_sem_key, proposer, requested_at, expires_at } = request;
  const stream = `request-${request_id}`;
  const requests = new AggregateStore(eventStore, actionRequestDecider, {
    writeFailure: 'MEMORY_WRITE_FAIL',
  });
  const { results } = await requests.execute(
    stream,
    [
      {
        ...{ type: 'request', request_id, kind: 'sem_put', target_sem_key, value: 1 },
        ...{ episodic_id: 'ep:grounds', justification: 'It was said.', evidence: [] },
        proposer: { sub: proposer, user_id: null },
        made_for: null,
        source: `agent:${proposer}`,
        requested_at: requested_at.toISOString(),
        expires_at: expires_at.toISOString(),
        quorum: 1,
      },
    ],
    { command_id: hashJson(stream), body_hash: hashJson(stream), actor: proposer, trace_id: 't' },
  );
  return results[0] as unknown as RecordedRequest;
}
