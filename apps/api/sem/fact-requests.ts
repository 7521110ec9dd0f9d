import { Inject, Injectable } from '@nestjs/common';
import {
  type ApprovedBy,
  approvedBy,
  ledTo,
  type WritePlace,
} from '#domain/action-request/approval.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { mayReadRequest } from '#domain/action-request/view.js';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { requestStream, semStream } from '#domain/stream-names.js';
import { eventOfType } from '#domain/upcast.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { type Fact, SemQueries } from '#projections/sem/queries.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE, EVENT_STORE } from '../platform/tokens.js';
import type { FactRequestDto } from './fact-history-view.js';

/** A write of a fact: its place, and its metadata, in which an approved request leaves its id (SPEC G3). */
interface Write extends WritePlace {
  readonly meta: JsonObject | null;
}

/** The request that led to a write of a fact, and who approved it. Both are null for a direct write. */
export interface BehindWrite {
  readonly request: FactRequestDto | null;
  readonly approved_by: ApprovedBy | null;
}

const NOTHING: BehindWrite = { request: null, approved_by: null };

const hasEnded = ({ status }: ActionRequestState): boolean =>
  status === 'executed' || status === 'execution_refused';

/** Finds the action requests behind the writes of facts, and who approved them. */
@Injectable()
export class FactRequests {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly facts: SemQueries,
  ) {}

  /** Returns the request whose approval led to a write. Fails with `EventStoreUnavailable`. */
  async behind(actor: Actor, write: Write): Promise<BehindWrite> {
    const state = await this.named(write.meta);
    if (state === undefined || !ledTo(state, write)) return NOTHING;
    return { request: requestFor(actor, state), approved_by: approvedBy(actor, state) };
  }

  /** Returns who approved a fact that was read; undefined if that cannot be found out now. */
  approvalOf(actor: Actor, fact: Fact): Promise<ApprovedBy | null | undefined> {
    return ifReachable(async () => {
      const state = await this.named(fact.meta);
      // The fact has the value that won, so its request was executed.
      if (state?.status !== 'executed') return null;
      const stream = semStream(fact.key);
      const { number } = await this.writeOf(fact, state.link?.sem_event_number);
      return ledTo(state, { stream, number }) ? approvedBy(actor, state) : null;
    });
  }

  /** Returns who approved the write at a place of the log; undefined if that cannot be found out now. */
  approvalAt(actor: Actor, place: WritePlace): Promise<ApprovedBy | null | undefined> {
    return ifReachable(async () => {
      const { stream, number } = place;
      for await (const event of readRecorded(this.eventStore, stream, {
        from: number,
        to: number,
      })) {
        const put = eventOfType(semDecider, event, 'fact_put');
        if (put !== undefined)
          return (await this.behind(actor, { stream, number, meta: put.data.meta })).approved_by;
      }
      return null;
    });
  }

  /** Returns the request that a fact's metadata names, which need not be behind the fact. */
  private async named(meta: JsonObject | null): Promise<ActionRequestState | undefined> {
    const id = provenanceOf({ meta });
    if (id === undefined) return undefined;
    const stream = requestStream(id);
    const known = this.requests.inMemory(stream);
    const state =
      known !== undefined && hasEnded(known) ? known : (await this.requests.load(stream)).state;
    return state.request === null ? undefined : state;
  }

  /** Returns the number of the event that put a fact, whose `revision` may be that of a later event without effect. */
  private async writeOf({ key, revision }: Fact, linked: number | undefined) {
    if (linked === undefined || linked >= revision) return { number: revision };
    return { number: (await this.facts.getAtRevision(key, revision))?.revision ?? revision };
  }
}

/** Returns the id of the request that a fact's metadata names. */
export function provenanceOf({ meta }: Pick<Fact, 'meta'>): string | undefined {
  const id = meta?.['provenance_id'];
  return typeof id === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(id) ? id : undefined;
}

const requestFor = (actor: Actor, state: ActionRequestState): FactRequestDto | null => {
  const { request } = state;
  if (request === null) return null;
  const isReadable = mayReadRequest(actor, state);
  return {
    request_id: request.request_id,
    episodic_id: isReadable ? request.episodic_id : null,
    justification: isReadable ? request.justification : null,
  };
};

/** Returns undefined if the log, or the read model, cannot be reached. */
async function ifReachable<Result>(find: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await find();
  } catch (cause) {
    if (cause instanceof EventStoreUnavailable || cause instanceof PostgresUnavailable)
      return undefined;
    throw cause;
  }
}
