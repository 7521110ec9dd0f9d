import type { CommandIdentity } from '#domain/recorded-event.js';
import type { SemCommand } from '#domain/sem/decide.js';
import type { SemEvent } from '#domain/sem/events.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { keyOfSemStream, type SemState } from '#domain/sem/state.js';
import {
  AggregateStore,
  type Executed,
  type ExecuteOptions,
} from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import type { FactCache } from './fact-cache.js';

/** Facts, none of whose writes is acknowledged before the cache has forgotten what it replaced (SPEC S9). */
export class InvalidatingSemStore extends AggregateStore<SemState, SemCommand, SemEvent> {
  constructor(
    eventStore: EventStore,
    private readonly cache: FactCache,
  ) {
    super(eventStore, semDecider, { writeFailure: 'SEM_WRITE_FAIL' });
  }

  override async execute(
    stream: string,
    commands: readonly SemCommand[],
    identity: CommandIdentity,
    options: ExecuteOptions = {},
  ): Promise<Executed> {
    const executed = await super.execute(stream, commands, identity, options);
    await this.cache.invalidate(keyOfSemStream(stream), executed.version, identity);
    return executed;
  }
}
