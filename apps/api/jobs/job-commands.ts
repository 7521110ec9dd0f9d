import { MAX_COMMANDS } from '#domain/job/constants.js';
import { EVIDENCE_ITEMS, SUMMARY_CODE_POINTS } from '#domain/episode/summaries.js';
import { WM_TYPES, type WmType } from '#domain/job/entry.js';
import { EPISODE_SOURCES, type EpisodeSource } from '#domain/job/events.js';
import type { JobCommand } from '#domain/job/commands.js';
import type { Json, JsonObject } from '#domain/json.js';
import type { RouteRoles } from '../platform/auth/roles.js';
import {
  AnyJson,
  Commands,
  commandsOf,
  IdText,
  ObjectList,
  OneOf,
  SeedText,
  Text,
  Whole,
} from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { LogAccountDto } from '../reflective-logs/log-view.js';
import {
  BatchDoneDto,
  CwmDoneDto,
  EpisodeWrittenDto,
  GoalSetDto,
  JobEndedDto,
  TickedDto,
  WmDoneDto,
} from './job-view.js';

const MAX_TICKS = 1_000;

export const JOB_WRITERS: RouteRoles = { own: ['agent'], of: 'job', all: ['admin'] };
const roles = JOB_WRITERS;

/** The fields of a command of the domain. */
type Fields<Op extends JobCommand['op']> = Omit<
  Extract<JobCommand, { readonly op: Op }>,
  symbol | 'value' | 'sealed'
>;

/** A command to a job. */
export abstract class JobWrite<Body> extends WriteRequest<Body> {
  @SeedText() seed!: string;
}

/** A command for which the client can require a version of the job (SPEC J9). */
abstract class VersionedWrite<Body> extends JobWrite<Body> {
  @Whole({ optional: true, min: 0, max: Number.MAX_SAFE_INTEGER }) expected_version?: number;
}

@Describes({
  summary: 'Insert a working-memory entry',
  roles,
  example: { type: 'fact', value: 'The office moved to Porto.' },
  answers: [201, WmDoneDto],
  fails: ['NOT_FOUND', 'JOB_ENDED', 'PRIVACY_BLOCKED'],
})
export class InsertWm extends VersionedWrite<WmDoneDto> implements Fields<'wm_insert'> {
  readonly op = 'wm_insert';

  @OneOf(WM_TYPES) type!: WmType;

  @AnyJson({ description: 'At most 16 KB as canonical JSON.' })
  value!: Json;

  @Whole({ optional: true, min: 1, max: 10_000, description: 'In ticks; default 3.' })
  ttl_ticks?: number;
}

@Describes({
  summary: 'Record one use of a working-memory entry',
  roles,
  answers: [200, WmDoneDto],
  fails: ['NOT_FOUND', 'JOB_ENDED', 'PROMOTION_LOOP'],
})
export class ReferenceWm extends VersionedWrite<WmDoneDto> {
  readonly op = 'wm_reference';

  @IdText() wm_id!: string;
}

@Describes({
  summary: 'Record one use of a consolidated item',
  roles,
  answers: [200, CwmDoneDto],
  fails: ['NOT_FOUND', 'JOB_ENDED'],
})
export class ReferenceCwm extends VersionedWrite<CwmDoneDto> {
  readonly op = 'cwm_reference';

  @IdText() item_id!: string;
}

@Describes({
  summary: 'Forget a working-memory entry; the log keeps its events',
  roles,
  answers: [200, WmDoneDto],
  fails: ['NOT_FOUND', 'JOB_ENDED'],
})
export class ForgetWm extends JobWrite<WmDoneDto> {
  readonly op = 'wm_forget';

  @IdText() wm_id!: string;
}

@Describes({
  summary: 'Forget a consolidated item; the log keeps its events',
  roles,
  answers: [200, CwmDoneDto],
  fails: ['NOT_FOUND', 'JOB_ENDED'],
})
export class ForgetCwm extends JobWrite<CwmDoneDto> {
  readonly op = 'cwm_forget';

  @IdText() item_id!: string;
}

@Describes({
  summary: 'Advance the job by one or more ticks',
  roles,
  answers: [200, TickedDto],
  fails: ['NOT_FOUND', 'JOB_ENDED'],
})
export class Tick extends VersionedWrite<TickedDto> {
  readonly op = 'tick';

  @Whole({ optional: true, min: 1, max: MAX_TICKS }) count?: number;
}

@Describes({
  summary: 'Set a new major goal, which recomputes the CWM',
  roles,
  answers: [200, GoalSetDto],
  fails: ['NOT_FOUND', 'JOB_ENDED'],
})
export class SetGoal extends VersionedWrite<GoalSetDto> implements Fields<'goal'> {
  readonly op = 'goal';

  @Text({ max: 16_000 }) goal!: string;
}

@Describes({
  summary: 'Write an episode',
  roles,
  example: { summary: 'The office moved to Porto.', payload: { city: 'Porto' } },
  answers: [201, EpisodeWrittenDto],
  fails: ['NOT_FOUND', 'JOB_ENDED', 'PRIVACY_BLOCKED'],
})
export class WriteEpisode extends VersionedWrite<EpisodeWrittenDto> {
  readonly op = 'episodic_write';

  @Text({ max: SUMMARY_CODE_POINTS, description: 'Queries search this text.' })
  summary!: string;

  @AnyJson({ optional: true, description: 'At most 256 KB as canonical JSON.' })
  payload?: Json;

  @ObjectList({ optional: true, max: EVIDENCE_ITEMS }) evidence?: JsonObject[];
  @OneOf(EPISODE_SOURCES, { optional: true }) source?: EpisodeSource;
}

@Describes({
  summary: 'End a job and write its episodes and summary',
  roles,
  does: 'ends a job, which nobody deletes',
  answers: [200, JobEndedDto],
  fails: ['NOT_FOUND', 'JOB_ENDED', 'LOG_INVALID'],
})
export class EndJob extends VersionedWrite<JobEndedDto> {
  readonly op = 'end';

  @AnyJson({
    optional: true,
    shownAs: LogAccountDto,
    description: 'The runtime’s own log of the job; an invalid log is refused with LOG_INVALID.',
  })
  reflective_log?: Json;
}

/** The commands of a job, each of which is a request of its own, and can be an item of a batch. */
const COMMANDS = [
  InsertWm,
  ReferenceWm,
  ReferenceCwm,
  ForgetWm,
  ForgetCwm,
  Tick,
  SetGoal,
  WriteEpisode,
  EndJob,
] as const;
type Single = InstanceType<(typeof COMMANDS)[number]>;

/** One command of a job, without the job. */
export type JobOperation = Single extends infer Request
  ? Request extends Single
    ? Omit<Request, keyof VersionedWrite<unknown>>
    : never
  : never;

@Describes({
  summary: 'Run up to 500 commands in order, as one transaction',
  roles,
  example: {
    commands: [
      { op: 'wm_insert', type: 'fact', value: 'The office moved to Porto.' },
      { op: 'tick' },
    ],
  },
  answers: [200, BatchDoneDto],
  fails: ['NOT_FOUND', 'JOB_ENDED', 'PROMOTION_LOOP', 'PRIVACY_BLOCKED', 'LOG_INVALID'],
})
export class RunBatch extends VersionedWrite<BatchDoneDto> {
  @Commands('op', commandsOf('op', COMMANDS, ['seed', 'expected_version']), {
    max: MAX_COMMANDS,
    description: 'The commands run in order; all are recorded, or none.',
  })
  commands!: readonly JobOperation[];
}

/** The requests that change a job which runs. */
export const JOB_REQUESTS = [...COMMANDS, RunBatch] as const;
export type JobRequest = Single | RunBatch;
