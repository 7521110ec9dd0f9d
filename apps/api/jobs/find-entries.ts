import { Inject, Injectable } from '@nestjs/common';
import { jobDecider } from '#domain/job/decider.js';
import { findCwm, findWm } from '#domain/job/find.js';
import { type JobState } from '#domain/job/state.js';
import type { Json, JsonObject } from '#domain/json.js';
import { jobStream } from '#domain/stream-names.js';
import { Answer } from '../platform/http/answer.js';
import { AnyObject, TextList } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { FoundCwmDto, FoundWmDto } from './job-view.js';
import { JOB_WRITERS, JobWrite } from './job-commands.js';
import type { JobStore } from '../platform/stores.js';
import { JOB_STORE } from '../platform/tokens.js';
import { SealedValues } from '../privacy/sealed-values.js';
import { JobAccess } from '../ownership/job-access.js';

const pointers = { optional: true, max: 100, maxLength: 1_000 };

/** A condition on the structure of entries, for example `{"equals": {"/type": "fact"}}` (SPEC J8). */
abstract class FindEntries<Body> extends JobWrite<Body> {
  @AnyObject({ optional: true, description: 'JSON Pointer → the required value at that place.' })
  equals?: Record<string, Json>;

  @TextList(pointers) exists?: string[];
  @TextList(pointers) absent?: string[];
}

@Describes({
  summary: 'Find working-memory entries by structure; the job records the read',
  roles: JOB_WRITERS,
  answers: [200, FoundWmDto],
  fails: ['NOT_FOUND'],
})
export class FindWm extends FindEntries<FoundWmDto> {
  readonly memory = 'wm';
}

@Describes({
  summary: 'Find consolidated items by structure; the job records the read',
  roles: JOB_WRITERS,
  answers: [200, FoundCwmDto],
  fails: ['NOT_FOUND'],
})
export class FindCwm extends FindEntries<FoundCwmDto> {
  readonly memory = 'cwm';
}

const find = {
  wm: { in: findWm, idOf: (entry: JsonObject) => entry['wm_id'] as string, kind: 'wm_find' },
  cwm: {
    in: findCwm,
    idOf: (entry: JsonObject) => entry['cwm_id_item'] as string,
    kind: 'cwm_find',
  },
} as const;

/**
 * Finds memory entries. An agent may base a decision on the result, so a running job records the read as
 * `memory_read` (SPEC J8, J10).
 */
@Injectable()
export class FindEntriesHandler {
  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly access: JobAccess,
    private readonly values: SealedValues,
  ) {}

  async execute(asked: FindWm | FindCwm): Promise<Answer<object>> {
    const { actor, seed, memory, identity } = asked;
    await this.access.requireUse(actor, seed);
    const { idOf, kind } = find[memory];
    const entriesIn = (state: JobState): readonly JsonObject[] => find[memory].in(state, asked);
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
    const entries = await this.values.entries(answer, mayOpen);
    return Answer.written({ entries, version }, position);
  }
}
