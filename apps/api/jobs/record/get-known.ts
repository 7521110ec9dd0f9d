import { Inject } from '@nestjs/common';
import { QueryHandler } from '@nestjs/cqrs';
import { fewAtOnce } from '#bounded/few-at-once.js';
import { isPermitted } from '#domain/errors/permit.js';
import { isFactId, type ThingRead, ThingsRead } from '#domain/job/things-read.js';
import { startedJob } from '#domain/job/state.js';
import { jobView } from '#domain/job/view.js';
import type { Actor } from '#domain/recorded-event.js';
import { jobStream } from '#domain/stream-names.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import { type Fact, SemQueries } from '#projections/sem/queries.js';
import { Moments, requireOne } from '../../moments/moments.js';
import { JobAccess } from '../../ownership/job-access.js';
import { readersOf } from '../../platform/auth/roles.js';
import { Answer } from '../../platform/http/answer.js';
import { At, EventNumber, PositionText, SeedText, Whole } from '../../platform/http/fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';
import { pageOf } from '../../platform/page.js';
import { EVENT_STORE } from '../../platform/tokens.js';
import { FactPermissions } from '../../sem/fact-permissions.js';
import { FactRequests } from '../../sem/fact-requests.js';
import type { FactDto } from '../../sem/fact-view.js';
import { ShownFacts } from '../../sem/shown-facts.js';
import { ShownJob } from '../shown-job.js';
import { JobKnewDto } from './known-view.js';

const DEFAULT_PAGE = 100;

@Describes({
  summary:
    'What a job knew: its memory, and what it had read, each fact with its value and who approved it',
  description:
    'What it could have read are the facts of its snapshot: `GET /v1/sem-snapshots/{id}` with its `user_id`.',
  roles: readersOf('job'),
  answers: [200, JobKnewDto],
  fails: ['NOT_FOUND'],
  reads: ['sem'],
})
export class GetKnown extends ReadRequest<Answer<JobKnewDto>> {
  @SeedText() seed!: string;

  @EventNumber({ optional: true, description: 'After that event; default: the job’s last one.' })
  version?: number;

  @At('version') at?: string;
  @PositionText({ optional: true, description: 'The `next_cursor` of the page before.' })
  cursor?: string;
  @Whole({ optional: true, min: 1, max: 200 }) limit?: number;
}

@QueryHandler(GetKnown)
export class GetKnownHandler {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: JobAccess,
    private readonly moments: Moments,
    private readonly shownJob: ShownJob,
    private readonly facts: SemQueries,
    private readonly permissions: FactPermissions,
    private readonly shownFacts: ShownFacts,
    private readonly requests: FactRequests,
  ) {}

  async execute(asked: GetKnown) {
    const { actor, seed, version, at, cursor = '0', limit = DEFAULT_PAGE } = asked;
    requireOne({ version, at });
    const position = await this.moments.positionAt(at);
    const { state, version: last } = await this.access.read(actor, seed, { version, position });
    const { owner, snapshots } = startedJob(state);
    const things = new ThingsRead();
    let recorded_at = '';
    for await (const event of readRecorded(this.eventStore, jobStream(seed), { to: last })) {
      things.take(event);
      ({ recorded_at } = event.metadata);
    }
    const from = Number(cursor);
    const found = things.all.slice(from, from + limit + 1);
    const { rows, next_cursor } = pageOf(found, limit, () => (from + limit).toString());
    const facts = await this.factsOf(rows, snapshots.sem_event_count);
    const job = await this.shownJob.of(jobView(state), () =>
      this.access.seesPersonalData(actor, seed),
    );
    const read = await fewAtOnce(rows, async ({ id, times, last: place }) => ({
      ...{ id, times, last: place },
      fact: await this.shown(actor, facts.get(id)),
    }));
    const user_id = owner.user_id ?? null;
    return Answer.asOf(
      { job, recorded_at, user_id, read, next_cursor, left_out: things.leftOut },
      position,
    );
  }

  /** Returns the facts among what was read, as the job saw them last: at its snapshot, or where a search read. */
  private async factsOf(
    things: readonly ThingRead[],
    snapshotCount: number,
  ): Promise<ReadonlyMap<string, Fact>> {
    const keysBy = new Map<string | null, string[]>();
    for (const { id, last } of things)
      if (isFactId(id)) keysBy.set(last.as_of, [...(keysBy.get(last.as_of) ?? []), id]);
    const found = await fewAtOnce([...keysBy], async ([as_of, keys]) => {
      const count = as_of === null ? snapshotCount : await this.facts.countAt(BigInt(as_of));
      return this.facts.getManyAtCount(keys, count);
    });
    return new Map(found.flatMap((some) => [...some]));
  }

  /** Returns a fact as the caller may see it; null for anything else, and for one that is hidden from the caller. */
  private async shown(actor: Actor, fact: Fact | undefined): Promise<FactDto | null> {
    if (fact === undefined) return null;
    if (!(await isPermitted(() => this.permissions.requireRead(actor, fact.key)))) return null;
    const [view, approved_by] = await Promise.all([
      this.shownFacts.of(actor, fact),
      this.requests.approvalOf(actor, fact),
    ]);
    return approved_by ? { ...view, approved_by } : view;
  }
}
