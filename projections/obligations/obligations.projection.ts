import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { consentDecider } from '#domain/consent/consent.decider.js';
import { jobDecider } from '#domain/job/decider.js';
import { keysOf } from '#domain/keys-of.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { reflectiveLogDecider } from '#domain/reflective-log/reflective-log.decider.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { sessionDecider } from '#domain/session/session.decider.js';
import { jobStream } from '#domain/stream-names.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { JOB_REQUEST_TYPES, JobRequests, type ObligingEvent } from './job-requests.js';
import { PendingObligations } from './pending-obligations.js';
import { JOB_REQUEST, OBLIGATION, REVOKED_CONSENT } from './tables.js';

/** The consents that were revoked before an event of a batch. Nothing gives a revoked consent again. */
class RevokedConsents {
  private constructor(
    private readonly ids: Set<string>,
    private readonly added: string[] = [],
  ) {}

  /** Reads which of the consents that the events name were revoked before them. */
  static async before(
    tx: ProjectionTransaction,
    events: readonly LoggedEvent[],
  ): Promise<RevokedConsents> {
    const named = new Set(
      events.flatMap(({ type, data: { consent_id } }) =>
        type !== 'consent_revoked' && typeof consent_id === 'string' ? [consent_id] : [],
      ),
    );
    if (named.size === 0) return new RevokedConsents(new Set());
    const rows = await tx.query<{ consent_id: string }>(
      'select consent_id from revoked_consent where consent_id = any($1::text[])',
      [[...named]],
    );
    return new RevokedConsents(new Set(rows.map(({ consent_id }) => consent_id)));
  }

  take({ type, data }: LoggedEvent): void {
    const { consent_id } = data;
    if (type !== 'consent_revoked' || typeof consent_id !== 'string') return;
    this.ids.add(consent_id);
    this.added.push(consent_id);
  }

  /** True if the event was written under a consent that was revoked before it. */
  coverNoMore({ data: { consent_id } }: LoggedEvent): boolean {
    return typeof consent_id === 'string' && this.ids.has(consent_id);
  }

  async write(tx: ProjectionTransaction): Promise<void> {
    if (this.added.length > 0)
      await tx.query('insert into revoked_consent select unnest($1::text[])', [this.added]);
  }
}

/**
 * The time in ms after which an obligation is due. Normally the handler does the work in the other stream before it
 * answers. If the handler's process has died, a process manager does the work after this time.
 */
const GRACE_MS = 2_000;

const afterGrace = (event: LoggedEvent): string =>
  new Date(Date.parse(event.metadata.recorded_at) + GRACE_MS).toISOString();

type Handlers = {
  readonly [Type in ObligingEvent['type']]?: (
    pending: PendingObligations,
    event: Logged<Extract<ObligingEvent, { readonly type: Type }>>,
    consents: RevokedConsents,
  ) => void;
};

/** For each event type, which obligation it creates or settles. */
const HANDLERS = {
  job_started: (pending, { stream, data }) => {
    if (data.session_id !== null) pending.add('link_session', stream, 'infinity');
  },
  query_asked: (pending, event) => pending.add('finish_query', event.stream, afterGrace(event)),
  job_ended: (pending, event) => {
    const { stream } = event;
    pending.settle('finish_query', stream);
    pending.add('settle_job', stream, afterGrace(event));
    pending.fallDue('link_session', stream, afterGrace(event));
    pending.add('write_reflective_log', stream, afterGrace(event));
  },
  episodic_summary: (pending, { stream }) => pending.settle('settle_job', stream),
  session_job_ended: (pending, { data }) =>
    pending.settle('link_session', jobStream(data.job_seed)),
  reflective_log_written: (pending, { data: { origin, log } }) => {
    if (origin === 'job') pending.settle('write_reflective_log', jobStream(log.job_seed));
  },
  // A promotion has its own key, because several interactions of one session may wait at the same time.
  promotion_requested: (pending, event) =>
    pending.add('finish_interaction', event.data.promotion_id, afterGrace(event)),
  interaction_finished: (pending, { data }) =>
    pending.settle('finish_interaction', data.promotion_id),
  action_requested: (pending, { stream, data }) =>
    pending.add('expire_request', stream, data.expires_at),
  request_approved: (pending, event) => {
    pending.settle('expire_request', event.stream);
    pending.add('execute_request', event.stream, afterGrace(event));
  },
  erasure_approved: (pending, { stream }) => pending.settle('expire_request', stream),
  erasure_ordered: (pending, event) =>
    pending.add('execute_erasure', event.stream, afterGrace(event)),
  deletion_event: (pending, { stream }) => pending.settle('execute_erasure', stream),
  request_rejected: (pending, { stream }) => pending.settle('expire_request', stream),
  request_expired: (pending, { stream }) => pending.settle('expire_request', stream),
  request_executed: (pending, { stream }) => pending.settle('execute_request', stream),
  execution_refused: (pending, { stream }) => pending.settle('execute_request', stream),
  // Nobody may read what came after the revocation of its consent, so this is due at once (SPEC P4).
  fact_put: (pending, event, consents) => {
    const { stream, data, metadata } = event;
    if (data.superseded) return;
    pending.settle('delete_fact', stream);
    if (consents.coverNoMore(event)) pending.add('delete_fact', stream, metadata.recorded_at);
  },
  fact_deleted: (pending, { stream, data }) => {
    if (!data.superseded) pending.settle('delete_fact', stream);
  },
  episode_written: (pending, event, consents) => {
    if (consents.coverNoMore(event))
      pending.add('withhold_episode', event.data.episodic_id, event.metadata.recorded_at);
  },
  episode_withheld: (pending, { data }) => pending.settle('withhold_episode', data.episodic_id),
} satisfies Handlers;

const handlerOf = ({ type }: Logged<ObligingEvent>) =>
  (HANDLERS as Readonly<Record<string, Handler | undefined>>)[type];
type Handler = (
  pending: PendingObligations,
  event: Logged<ObligingEvent>,
  consents: RevokedConsents,
) => void;

/**
 * The work list of the process managers: streams that still require a step in another stream, such as
 * the sem_put of an approved request (SPEC G3) or the session entry of an ended job (SPEC J1); facts and episodes that
 * came after the revocation of their consent (SPEC P4); and the requests whose events the log of a job must list (SPEC G3).
 */
@Projector({
  name: 'obligations',
  version: 5,
  tables: [OBLIGATION, REVOKED_CONSENT, JOB_REQUEST],
  reads: [
    ...[jobDecider, sessionDecider, actionRequestDecider, memoryDecider, reflectiveLogDecider],
    ...[semDecider, consentDecider],
  ],
  types: [...keysOf(HANDLERS), ...JOB_REQUEST_TYPES, 'consent_revoked'],
})
export class ObligationsProjection implements EventProjector<ObligingEvent> {
  async project(
    tx: ProjectionTransaction,
    events: readonly Logged<ObligingEvent>[],
  ): Promise<void> {
    const pending = new PendingObligations();
    const requests = new JobRequests();
    const consents = await RevokedConsents.before(tx, events);
    for (const event of events) {
      consents.take(event);
      handlerOf(event)?.(pending, event, consents);
      requests.take(event, afterGrace(event));
    }
    await pending.write(tx);
    await requests.write(tx);
    await consents.write(tx);
  }
}
