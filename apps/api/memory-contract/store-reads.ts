import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '#domain/json.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import type { MemoryEvent, MemoryTrace } from '#domain/memory-contract/events.js';
import type { StoreState } from '#domain/memory-contract/state.js';
import { withWholeSummary, withItems } from '#domain/memory-contract/short-term/summary-chain.js';
import { isTrace, traceOf } from '#domain/memory-contract/trace/trace.js';
import { storeAtTick } from '#domain/memory-contract/trace/view.js';
import { Refusal } from '#domain/errors/refusal.js';
import { memoryStream } from '#domain/stream-names.js';
import { upcast } from '#domain/upcast.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import { countAt } from '#event-store/stream-past.js';
import { MemoryItemQueries } from '#projections/memory-contract/queries.js';
import type { ReadModels } from '../platform/read-models.js';
import type { MemoryStore } from '../platform/stores.js';
import { EVENT_STORE, MEMORY_STORE, READ_MODELS } from '../platform/tokens.js';
import type { StoreRead } from './store-read.js';
import { MemoryAccess } from './memory-access.js';

const FULL_PAGE_CHARACTERS = 4 * 1024 * 1024;
const LEAST_EVENTS_AT_ONCE = 16;

interface TracesPage {
  readonly from: number;
  readonly limit: number;
  /** The position of the log as of which the store is read; undefined for the present. */
  readonly position: bigint | undefined;
}

/** A trace event in the contract's form, with its number in the store's stream. */
export type NumberedTrace = JsonObject & { readonly number: number };

/** Reads of a store. Each read shows every command that was acknowledged before it. */
@Injectable()
export class StoreReads {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(MEMORY_STORE) private readonly stores: MemoryStore,
    private readonly access: MemoryAccess,
    private readonly queries: MemoryItemQueries,
  ) {}

  /**
   * Returns a store, as it was at a tick or a position if one is given. @throws Refusal PERMISSION_DENIED, and NOT_FOUND for a session without an owner.
   */
  async store(
    { actor, space, owner }: StoreRead<unknown>,
    { tick, position }: { readonly tick?: number; readonly position?: bigint } = {},
  ): Promise<StoreState> {
    await this.access.requireRead(actor, space, owner);
    const stream = memoryStream(space, owner);
    if (position !== undefined) return (await this.stores.loadAtPosition(stream, position)).state;
    const { state } = await this.stores.load(stream);
    if (tick === undefined || tick >= state.tick) return state;
    const events: MemoryEvent[] = [];
    for await (const { event } of this.events(stream)) events.push(event);
    return storeAtTick(stream, events, tick);
  }

  /**
   * Returns at most `limit` decisions of all requests, from event `from` on, oldest first; fewer if they
   * are large. They are read from the log, because no read model has them.
   */
  async traces({ actor, space, owner }: StoreRead<unknown>, { from, limit, position }: TracesPage) {
    await this.access.requireRead(actor, space, owner);
    const stream = memoryStream(space, owner);
    const last = await this.eventStore.lastOf(stream);
    if (last !== undefined) await this.readModels.reach(last.position, ['memory_items']);
    const end =
      position === undefined
        ? last?.number
        : (await countAt(this.eventStore, stream, position)) - 1;
    const found = await this.decisions(stream, from, end ?? -1, limit + 1);
    const policies = await this.queries.policies(found.map(({ trace }) => trace.data.policy_hash));
    const turns = await this.queries.summarized(stream);
    const page: NumberedTrace[] = [];
    let characters = 0;
    for (const { number, trace } of found) {
      if (page.length === limit || characters > FULL_PAGE_CHARACTERS)
        return { traces: page, next_from: number };
      const { policy_hash } = trace.data;
      const policy = policies.get(policy_hash);
      if (policy === undefined) {
        const reason = 'the read model does not have its policy';
        throw new Refusal('INTEGRITY_FAILURE', { stream, number, reason });
      }
      const whole = withItems(trace, (item) => withWholeSummary(item, turns));
      page.push({ number, ...traceOf(whole, policy) });
      characters += JSON.stringify(page.at(-1)).length;
    }
    return { traces: page, next_from: null };
  }

  /** Reads each range to its end. Abandoning many reads would break the connection to the log. */
  private async decisions(stream: string, from: number, last: number, limit: number) {
    const found: { readonly number: number; readonly trace: MemoryTrace }[] = [];
    const atOnce = Math.max(limit, LEAST_EVENTS_AT_ONCE);
    for (let next = from; next <= last && found.length < limit; next += atOnce) {
      const to = Math.min(last, next + atOnce - 1);
      for await (const { number, event } of this.events(stream, { from: next, to }))
        if (isTrace(event)) found.push({ number, trace: event });
    }
    return found.slice(0, limit);
  }

  private async *events(
    stream: string,
    part: { readonly from?: number; readonly to?: number } = {},
  ) {
    for await (const event of readRecorded(this.eventStore, stream, part))
      yield { number: event.number, event: upcast<MemoryEvent>(memoryDecider.schemas, event) };
  }
}
