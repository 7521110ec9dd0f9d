import type { SemCommand } from '#domain/sem/decide.js';
import type { SemEvent } from '#domain/sem/events.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { keyOfSemStream, type SemState } from '#domain/sem/state.js';
import { AggregateStore, type Executed } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import type { Seals } from '#event-store/seals.js';
import type { FactCache } from './fact-cache.js';

type Facts = AggregateStore<SemState, SemCommand, SemEvent>;

/** The store of facts. It acknowledges a write after the cache has dropped the replaced value (SPEC S9). */
export class InvalidatingSemStore extends AggregateStore<SemState, SemCommand, SemEvent> {
  constructor(
    eventStore: EventStore,
    private readonly cache: FactCache,
    seals: Seals,
  ) {
    super(eventStore, semDecider, { writeFailure: 'SEM_WRITE_FAIL', seals });
  }

  override async execute(...args: Parameters<Facts['execute']>): Promise<Executed<SemState>> {
    const [stream, , identity] = args;
    const executed = await super.execute(...args);
    await this.cache.invalidate(keyOfSemStream(stream), executed.version, identity);
    return executed;
  }
}
