import type { SemEvent } from '#domain/sem/events.js';
import type { ConsentEvent } from '#domain/consent/events.js';
import type { ReflectiveLogEvent } from '#domain/reflective-log/events.js';
import type { SessionEvent } from '#domain/session/events.js';
import type { MemoryEvent } from '#domain/memory-contract/events.js';
import type { ActionRequestEvent } from '#domain/action-request/events.js';
import type { JobEvent } from '#domain/job/events.js';
import { COUNCIL_EVENT_TYPES, isCouncilEventType } from '#domain/action-request/council-events.js';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { Logged, ProjectionTransaction } from '#read-model/projection.js';

/** The events of the streams whose work is listed. */
export type ObligingEvent =
  | JobEvent
  | SessionEvent
  | ActionRequestEvent
  | MemoryEvent
  | ReflectiveLogEvent
  | SemEvent
  | ConsentEvent;

/** The types of the events that change the table. */
export const JOB_REQUEST_TYPES = [...COUNCIL_EVENT_TYPES, 'council_event'] as const;

/**
 * Collects a batch's changes of requests on episodes of jobs: their events, and which of them the log of the
 * job lists (SPEC G3). The numbers only grow, so the order of the changes does not matter.
 */
export class JobRequests {
  private readonly made = new Map<string, string>();
  private readonly lastOf = new Map<string, { number: number; due_at: string }>();
  private readonly listedOf = new Map<string, number>();

  /** @param due_at when the process manager lists the event, unless the handler has done it */
  take(event: Logged<ObligingEvent>, due_at: string): void {
    if (event.type === 'council_event') {
      const { stream, event_number } = event.data;
      this.listedOf.set(stream, Math.max(event_number, this.listedOf.get(stream) ?? -1));
    }
    if (!isCouncilEventType(event.type)) return;
    const { stream, number } = event;
    this.lastOf.set(stream, { number, due_at });
    if (event.type !== 'action_requested') return;
    const { job_seed } = event.data;
    if (job_seed !== undefined) this.made.set(stream, reflectiveLogId(job_seed));
  }

  async write(tx: ProjectionTransaction): Promise<void> {
    if (this.made.size > 0)
      await tx.query(
        `insert into job_request (stream, log_id, last_number, listed_number, due_at)
         select stream, log_id, -1, -1, 'infinity'
         from unnest($1::text[], $2::text[]) as made (stream, log_id)`,
        [[...this.made.keys()], [...this.made.values()]],
      );
    if (this.lastOf.size > 0) {
      const last = [...this.lastOf.values()];
      await tx.query(
        `update job_request set last_number = last.number, due_at = last.due_at
         from unnest($1::text[], $2::int[], $3::timestamptz[]) as last (stream, number, due_at)
         where job_request.stream = last.stream`,
        [[...this.lastOf.keys()], last.map(({ number }) => number), last.map((l) => l.due_at)],
      );
    }
    if (this.listedOf.size > 0)
      await tx.query(
        `update job_request set listed_number = greatest(listed_number, listed.number)
         from unnest($1::text[], $2::int[]) as listed (stream, number)
         where job_request.stream = listed.stream`,
        [[...this.listedOf.keys()], [...this.listedOf.values()]],
      );
  }
}
