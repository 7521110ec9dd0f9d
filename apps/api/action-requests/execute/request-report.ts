import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { reflectiveStream } from '#domain/stream-names.js';
import { eventOf } from '#domain/upcast.js';
import { Inject, Injectable } from '@nestjs/common';
import { councilEventsOf } from '#domain/action-request/council-events.js';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { ReflectiveLogCommand } from '#domain/reflective-log/decide.js';
import { isListed } from '#domain/reflective-log/state.js';
import type { EventStore } from '#event-store/event-store.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { ActionRequestStore, ReflectiveLogStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE, EVENT_STORE, REFLECTIVE_LOG_STORE } from '../../platform/tokens.js';

/**
 * Lists the events of a request in the ReflectiveLog of its job (SPEC G3). The command id of each addition
 * is the id of the event that it names, so a repeat, at once or after a crash, adds nothing.
 */
@Injectable()
export class RequestReport {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    @Inject(REFLECTIVE_LOG_STORE) private readonly logs: ReflectiveLogStore,
  ) {}

  /**
   * Adds the events that the log does not list yet. A request that belongs to no job is left alone.
   * @throws Refusal NOT_FOUND if the job has no log yet.
   */
  async write(stream: string): Promise<void> {
    const { state } = await this.requests.load(stream);
    const { job_seed } = state.request ?? {};
    if (job_seed === undefined) return;
    const log = reflectiveStream(reflectiveLogId(job_seed));
    const { state: before } = await this.logs.load(log);
    for await (const event of readRecorded(this.eventStore, stream)) {
      const additions = councilEventsOf(eventOf(actionRequestDecider, event))
        .filter((addition) => !isListed(before, addition))
        .map((addition): ReflectiveLogCommand => ({ type: 'list_council_event', ...addition }));
      if (additions.length === 0) continue;
      const { event_id, trace_id } = event.metadata;
      await this.logs.execute(log, additions, identityOfStep(event_id, [log, event_id], trace_id));
    }
  }
}
