import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { jobDecider } from '#domain/job/decider.js';
import { findCwm, findWm, type FindPredicate } from '#domain/job/find.js';
import { type JobState, jobStream } from '#domain/job/state.js';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { JobStore } from '../platform/stores.js';
import { JOB_STORE } from '../platform/tokens.js';
import { SealedValues } from '../privacy/sealed-values.js';
import { JobAccess } from '../ownership/job-access.js';

export interface FoundEntries {
  readonly entries: readonly JsonObject[];
  /** The version of the job after the read was recorded. */
  readonly version: number;
  readonly position: bigint | undefined;
}

/**
 * Finds memory entries. An agent may base a decision on the result, so a running job records the read as
 * `memory_read` (SPEC J8, J10).
 */
export class FindEntries extends Command<FoundEntries> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly memory: 'wm' | 'cwm',
    readonly predicate: FindPredicate,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

const find = {
  wm: { in: findWm, idOf: (entry: JsonObject) => entry['wm_id'] as string, kind: 'wm_find' },
  cwm: {
    in: findCwm,
    idOf: (entry: JsonObject) => entry['cwm_id_item'] as string,
    kind: 'cwm_find',
  },
} as const;

@CommandHandler(FindEntries)
export class FindEntriesHandler implements ICommandHandler<FindEntries> {
  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly access: JobAccess,
    private readonly values: SealedValues,
  ) {}

  async execute(command: FindEntries): Promise<FoundEntries> {
    const { actor, seed, memory, predicate, identity } = command;
    await this.access.requireUse(actor, seed);
    const { idOf, kind } = find[memory];
    const entriesIn = (state: JobState): readonly JsonObject[] => find[memory].in(state, predicate);
    const { answer, version, position } = await this.jobs.transact(
      jobStream(seed),
      identity,
      (state) => {
        const entries = entriesIn(state);
        const read = { op: 'memory_read', kind, ids: entries.map(idOf) } as const;
        const events = state.status === 'running' ? jobDecider.decide(read, state) : [];
        return { events, answer: entries };
      },
      entriesIn,
    );
    const mayOpen = () => this.access.seesPersonalData(actor, seed);
    return { entries: await this.values.entries(answer, mayOpen), version, position };
  }
}
