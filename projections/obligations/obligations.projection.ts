import { readFileSync } from 'node:fs';
import { jobStream } from '#domain/job/state.js';
import type { JsonObject } from '#domain/json.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { Projection } from '#read-model/projection.js';
import { PendingObligations } from './pending-obligations.js';

/**
 * What a request leaves to be done across streams is done before its answer; a row falls due only when
 * that took too long, as it does when the process died.
 */
const GRACE_MS = 2_000;

const afterGrace = (event: LoggedEvent): string =>
  new Date(Date.parse(event.metadata.recorded_at) + GRACE_MS).toISOString();

const text = (value: unknown): string => String(value);

const loggedJob = (data: JsonObject): string =>
  jobStream(text((data['log'] as JsonObject)['job_seed']));

function note(pending: PendingObligations, event: LoggedEvent): void {
  const { stream, data } = event;
  switch (event.type) {
    case 'job_started':
      if (data['session_id'] !== null) pending.add('link_session', stream, 'infinity');
      break;
    case 'query_asked':
      pending.add('finish_query', stream, afterGrace(event));
      break;
    case 'job_ended':
      pending.settle('finish_query', stream);
      pending.add('settle_job', stream, afterGrace(event));
      pending.fallDue('link_session', stream, afterGrace(event));
      pending.add('write_reflective_log', stream, afterGrace(event));
      break;
    case 'episodic_summary':
      pending.settle('settle_job', stream);
      break;
    case 'session_job_ended':
      pending.settle('link_session', jobStream(text(data['job_seed'])));
      break;
    case 'reflective_log_written':
      if (data['origin'] === 'job') pending.settle('write_reflective_log', loggedJob(data));
      break;
    case 'promotion_requested':
      // By its own id: interactions of one session may wait at the same time.
      pending.add('finish_interaction', text(data['promotion_id']), afterGrace(event));
      break;
    case 'interaction_finished':
      pending.settle('finish_interaction', text(data['promotion_id']));
      break;
    case 'action_requested':
      pending.add('expire_request', stream, text(data['expires_at']));
      break;
    case 'request_approved':
      pending.settle('expire_request', stream);
      pending.add('execute_request', stream, afterGrace(event));
      break;
    case 'request_rejected':
    case 'request_expired':
      pending.settle('expire_request', stream);
      break;
    case 'request_executed':
    case 'execution_refused':
      pending.settle('execute_request', stream);
      break;
  }
}

/**
 * The to-do list of the process managers: which streams still wait for a step in another stream, such as
 * an approved request for its sem_put (SPEC G3) or an ended job for its session's entry (SPEC J1).
 */
export const obligationsProjection: Projection = {
  name: 'obligations',
  version: 2,
  tables: readFileSync(new URL('./tables.sql', import.meta.url), 'utf8'),
  categories: ['job', 'session', 'request', 'memory', 'reflective'],
  async project(tx, events) {
    const pending = new PendingObligations();
    for (const event of events) note(pending, event);
    await pending.write(tx);
  },
};
