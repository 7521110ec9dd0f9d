import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { QueryState } from '#domain/query/state.js';
import { jobView } from '#domain/job/view.js';
import type { Actor } from '#domain/recorded-event.js';
import { JobAccess } from '../../ownership/job-access.js';
import { ShownJob } from '../shown-job.js';
import { JobTimelines } from './job-timelines.js';

type ShownState = Awaited<ReturnType<ShownJob['of']>> & {
  readonly episodes: number;
  readonly query: QueryState | null;
};

export class GetJobState extends Query<ShownState> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly number: number,
  ) {
    super();
  }
}

/** Returns the state of a job after one of its events (SPEC X3). */
@QueryHandler(GetJobState)
export class GetJobStateHandler implements IQueryHandler<GetJobState> {
  constructor(
    private readonly access: JobAccess,
    private readonly timelines: JobTimelines,
    private readonly shown: ShownJob,
  ) {}

  async execute({ actor, seed, number }: GetJobState): Promise<ShownState> {
    await this.access.requireRead(actor, seed);
    const state = await this.timelines.stateAt(seed, number);
    const view = await this.shown.of(jobView(state), () =>
      this.access.seesPersonalData(actor, seed),
    );
    return { ...view, episodes: state.episode_counter, query: state.query ?? null };
  }
}
