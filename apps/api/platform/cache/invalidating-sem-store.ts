import type { AnswerTo } from '#domain/decider.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { SemCommand } from '#domain/sem/decide.js';
import type { SemEvent } from '#domain/sem/events.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { type SemState } from '#domain/sem/state.js';
import { keyOfSemStream } from '#domain/stream-names.js';
import {
  AggregateStore,
  type Commands,
  type Executed,
  type ExecuteOptions,
} from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import type { Seals } from '#event-store/seals.js';
import type { FactCache } from './fact-cache.js';

/** The store of facts. It acknowledges a write after the cache has dropped the replaced value (SPEC S9). */
export class InvalidatingSemStore extends AggregateStore<SemState, SemCommand, SemEvent> {
  constructor(
    eventStore: EventStore,
    private readonly cache: FactCache,
    seals: Seals,
  ) {
    super(eventStore, semDecider, { writeFailure: 'SEM_WRITE_FAIL', seals });
  }

  override async execute<C extends SemCommand>(
    stream: string,
    commands: Commands<SemState, C>,
    identity: CommandIdentity,
    options?: ExecuteOptions,
  ): Promise<Executed<SemState, AnswerTo<C>>> {
    const executed = await super.execute(stream, commands, identity, options);
    await this.cache.invalidate(keyOfSemStream(stream), executed.version, identity);
    return executed;
  }
}
