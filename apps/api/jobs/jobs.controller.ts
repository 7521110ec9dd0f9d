import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadByParameter, type ReadContext } from '../privacy/read-context.decorator.js';
import { FindDto } from './dto/find.dto.js';
import {
  CommandDto,
  EndDto,
  EpisodeDto,
  GoalDto,
  JOB_OPERATIONS,
  JobBatchDto,
  type JobOperation,
  TickDto,
  WmInsertDto,
} from './dto/job-operations.dto.js';
import {
  BatchDoneDto,
  CwmDoneDto,
  EpisodeWrittenDto,
  FoundCwmDto,
  FoundWmDto,
  GoalSetDto,
  JobDto,
  JobEndedDto,
  TickedDto,
  WmDoneDto,
} from './dto/job.dto.js';
import { CwmItemPath, JobPath, JobVersionQuery, WmEntryPath } from './dto/job-path.dto.js';
import { StartJobDto } from './dto/start-job.dto.js';
import { FindEntries, type FoundEntries } from './find-entries.handler.js';
import { GetJob } from './get-job.handler.js';
import { RunJobOperations } from './run-job-operations.handler.js';
import { StartJob } from './start-job.handler.js';

@ApiTags('jobs')
@Controller('v1/jobs')
export class JobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Roles({ own: ['agent'], of: 'session', all: ['admin'] })
  @Answers(201, JobDto)
  @Fails('JOB_EXISTS', 'PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Start a job and pin the snapshots that it reads (SPEC J1)' })
  async start(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: StartJobDto,
  ) {
    const { results, position } = await this.commands.execute(new StartJob(actor, body, identity));
    return Answer.written(results[0], position);
  }

  @Get(':seed')
  @Roles(readersOf('job'))
  @Answers(200, JobDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'A job’s current state, or its state at a version (SPEC J10, X3)' })
  get(
    @Caller() actor: Actor,
    @ReadByParameter() context: ReadContext,
    @Param() { seed }: JobPath,
    @Query() at: JobVersionQuery,
  ) {
    return this.queries.execute(new GetJob(actor, seed, at, context));
  }

  @Post(':seed/commands')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @ApiExtraModels(...JOB_OPERATIONS)
  @Answers(200, BatchDoneDto)
  @Fails('NOT_FOUND', 'JOB_ENDED', 'PROMOTION_LOOP', 'PRIVACY_BLOCKED', 'LOG_INVALID')
  @ApiOperation({ summary: 'Run up to 500 commands in order, as one transaction (SPEC J9)' })
  async batch(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed }: JobPath,
    @Body() { commands, expected_version }: JobBatchDto,
  ) {
    const { results, version, position } = await this.commands.execute(
      new RunJobOperations(actor, seed, commands, identity, expected_version),
    );
    return Answer.written({ results, version }, position);
  }

  @Post(':seed/wm')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @Answers(201, WmDoneDto)
  @Fails('NOT_FOUND', 'JOB_ENDED', 'PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Insert a working-memory entry (SPEC J2)' })
  insert(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed }: JobPath,
    @Body() { expected_version, ...entry }: WmInsertDto,
  ) {
    return this.run(actor, identity, seed, { op: 'wm_insert', ...entry }, expected_version);
  }

  @Post(':seed/wm/find')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @Answers(200, FoundWmDto)
  @Fails('NOT_FOUND')
  @ApiOperation({
    summary: 'Find working-memory entries by structure; the job records the read (SPEC J8)',
  })
  async findWm(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed }: JobPath,
    @Body() predicate: FindDto,
  ) {
    return findAnswer(
      await this.commands.execute(new FindEntries(actor, seed, 'wm', predicate, identity)),
    );
  }

  @Post(':seed/cwm/find')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @Answers(200, FoundCwmDto)
  @Fails('NOT_FOUND')
  @ApiOperation({
    summary: 'Find consolidated items by structure; the job records the read (SPEC J8)',
  })
  async findCwm(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed }: JobPath,
    @Body() predicate: FindDto,
  ) {
    return findAnswer(
      await this.commands.execute(new FindEntries(actor, seed, 'cwm', predicate, identity)),
    );
  }

  @Post(':seed/wm/:wm_id/references')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @Answers(200, WmDoneDto)
  @Fails('NOT_FOUND', 'JOB_ENDED', 'PROMOTION_LOOP')
  @ApiOperation({ summary: 'Record one use of a working-memory entry (SPEC J2)' })
  referenceWm(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed, wm_id }: WmEntryPath,
    @Body() body: CommandDto,
  ) {
    return this.run(actor, identity, seed, { op: 'wm_reference', wm_id }, body.expected_version);
  }

  @Post(':seed/cwm/:item_id/references')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @Answers(200, CwmDoneDto)
  @Fails('NOT_FOUND', 'JOB_ENDED')
  @ApiOperation({ summary: 'Record one use of a consolidated item (SPEC J5)' })
  referenceCwm(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed, item_id }: CwmItemPath,
    @Body() body: CommandDto,
  ) {
    return this.run(actor, identity, seed, { op: 'cwm_reference', item_id }, body.expected_version);
  }

  @Delete(':seed/wm/:wm_id')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @Answers(200, WmDoneDto)
  @Fails('NOT_FOUND', 'JOB_ENDED')
  @ApiOperation({
    summary: 'Forget a working-memory entry; the log keeps its events (SPEC I1)',
  })
  forgetWm(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed, wm_id }: WmEntryPath,
  ) {
    return this.run(actor, identity, seed, { op: 'wm_forget', wm_id });
  }

  @Delete(':seed/cwm/:item_id')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @Answers(200, CwmDoneDto)
  @Fails('NOT_FOUND', 'JOB_ENDED')
  @ApiOperation({ summary: 'Forget a consolidated item; the log keeps its events (SPEC I1)' })
  forgetCwm(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed, item_id }: CwmItemPath,
  ) {
    return this.run(actor, identity, seed, { op: 'cwm_forget', item_id });
  }

  @Post(':seed/ticks')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @Answers(200, TickedDto)
  @Fails('NOT_FOUND', 'JOB_ENDED')
  @ApiOperation({ summary: 'Advance the job by one or more ticks (SPEC J3)' })
  tick(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed }: JobPath,
    @Body() { expected_version, ...ticks }: TickDto,
  ) {
    return this.run(actor, identity, seed, { op: 'tick', ...ticks }, expected_version);
  }

  @Post(':seed/goals')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @Answers(200, GoalSetDto)
  @Fails('NOT_FOUND', 'JOB_ENDED')
  @ApiOperation({ summary: 'Set a new major goal, which recomputes the CWM (SPEC J6)' })
  goal(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed }: JobPath,
    @Body() { goal, expected_version }: GoalDto,
  ) {
    return this.run(actor, identity, seed, { op: 'goal', goal }, expected_version);
  }

  @Post(':seed/episodes')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @Answers(201, EpisodeWrittenDto)
  @Fails('NOT_FOUND', 'JOB_ENDED', 'PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Write an episode (SPEC E1)' })
  episode(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed }: JobPath,
    @Body() { expected_version, ...episode }: EpisodeDto,
  ) {
    return this.run(actor, identity, seed, { op: 'episodic_write', ...episode }, expected_version);
  }

  @Post(':seed/end')
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @Answers(200, JobEndedDto)
  @Fails('NOT_FOUND', 'JOB_ENDED', 'LOG_INVALID')
  @ApiOperation({ summary: 'End a job and write its episodes and summary (SPEC J7)' })
  end(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { seed }: JobPath,
    @Body() { expected_version, ...account }: EndDto,
  ) {
    return this.run(actor, identity, seed, { op: 'end', ...account }, expected_version);
  }

  private async run(
    actor: Actor,
    identity: RequestIdentity,
    seed: string,
    operation: JobOperation,
    expectedVersion?: number,
  ) {
    const executed = await this.commands.execute(
      new RunJobOperations(actor, seed, [operation], identity, expectedVersion),
    );
    return Answer.written(
      { ...onlyAnswer(executed), version: executed.version },
      executed.position,
    );
  }
}

const findAnswer = ({ entries, version, position }: FoundEntries) =>
  Answer.written({ entries, version }, position);
