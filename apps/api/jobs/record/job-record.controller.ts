import {
  Body,
  Controller,
  Get,
  Param,
  Post,
  Query,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import { plainView } from '#domain/plain-view.js';
import type { Actor } from '#domain/recorded-event.js';
import {
  AcceptsEventStream,
  EVENT_STREAM,
  Holder,
  LastEventId,
  TakesLastEventId,
} from '../../events/event-stream.decorators.js';
import { EventStreams } from '../../events/event-streams.js';
import { FollowJobEvents } from '../../events/follow-job-events.handler.js';
import type { StreamHolder } from '../../events/stream-holder.js';
import { JobPath } from '../dto/job-path.dto.js';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../../platform/auth/roles.js';
import { Answers, Fails } from '../../platform/http/answers.decorator.js';
import { ReadsFrom } from '../../platform/http/reads-from.decorator.js';
import { BUNDLE, bundleFile } from '../../replay/bundle-file.js';
import { ReplayDto, ReplayReportDto } from '../../replay/dto/replay.dto.js';
import { EventPath, EventsQuery, JobsQuery } from './dto/job-record-query.dto.js';
import {
  JobEventsPageDto,
  JobsPageDto,
  JobStateDto,
  JobTimelineDto,
} from './dto/job-record.dto.js';
import { ExportJob } from './export-job.handler.js';
import { GetJobState } from './get-job-state.handler.js';
import { GetJobTimeline } from './get-job-timeline.handler.js';
import { ListJobEvents } from './list-job-events.handler.js';
import { ListJobs } from './list-jobs.handler.js';
import { ReplayJob } from './replay-job.handler.js';

/** @throws Refusal INVALID_INPUT for parameters that a stream does not have. */
function firstNumberOf({ from = 0, ...others }: EventsQuery): number {
  if (Object.values(others).some((other) => other !== undefined))
    throw new Refusal('INVALID_INPUT', { reason: 'a stream of events takes only the field from' });
  return from;
}

/** The routes by which auditors read a job's events, unchanged and complete (SPEC X1, X4). */
@ApiTags('audit')
@Controller('v1/jobs')
export class JobRecordController {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: EventStreams,
  ) {}

  @Get()
  @ReadsFrom('jobs')
  @Roles(readersOf('job'))
  @Answers(200, JobsPageDto)
  @ApiOperation({ summary: 'Jobs, newest first; agents get their own jobs' })
  list(@Caller() actor: Actor, @Query() filter: JobsQuery) {
    return this.queries.execute(new ListJobs(actor, filter));
  }

  @Get(':seed/events')
  @Roles(readersOf('job'))
  @TakesLastEventId()
  @ApiExtraModels(JobEventsPageDto)
  @ApiOkResponse({
    description: 'A page of events; or, if the request accepts it, a stream of server-sent events.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(JobEventsPageDto) } },
      [EVENT_STREAM]: { schema: { type: 'string' } },
    },
  })
  @Fails('NOT_FOUND', 'RATE_LIMITED')
  @ApiOperation({
    summary:
      'A job’s stored events, in pages; `plain` is easier to read. With `Accept: text/event-stream`, as server-sent events',
  })
  async events(
    @Caller() actor: Actor,
    @Holder() holder: StreamHolder,
    @AcceptsEventStream() isStream: boolean,
    @LastEventId() lastEventId: bigint | undefined,
    @Param() { seed }: JobPath,
    @Query() query: EventsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { format, ...page } = query;
    if (isStream) {
      const from = firstNumberOf(query);
      const events = await this.queries.execute(
        new FollowJobEvents(actor, seed, from, lastEventId),
      );
      return this.streams.answer(holder, events, reply);
    }
    const answer = await this.queries.execute(new ListJobEvents(actor, seed, page));
    if (format !== 'plain') return answer;
    reply.header('content-type', 'text/plain; charset=utf-8');
    return answer.events.map((event) => `${plainView(event as Json)}\n`).join('\n');
  }

  @Get(':seed/timeline')
  @Roles(readersOf('job'))
  @Answers(200, JobTimelineDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'The type of each of a job’s events, and where each tick begins' })
  timeline(@Caller() actor: Actor, @Param() { seed }: JobPath) {
    return this.queries.execute(new GetJobTimeline(actor, seed));
  }

  @Get(':seed/states/:number')
  @Roles(readersOf('job'))
  @Answers(200, JobStateDto)
  @Fails('NOT_FOUND', 'INTEGRITY_FAILURE')
  @ApiOperation({
    summary: 'A job’s state after one of its events, also in a job of many events (SPEC X3)',
  })
  state(@Caller() actor: Actor, @Param() { seed, number }: EventPath) {
    return this.queries.execute(new GetJobState(actor, seed, Number(number)));
  }

  @Get(':seed/bundle')
  @Roles(readersOf('job'))
  @ApiOkResponse(BUNDLE)
  @Fails('NOT_FOUND')
  @ApiOperation({
    summary:
      'The job’s signed bundle as NDJSON; `mace verify` checks it offline, with the keys of /.well-known/jwks.json (SPEC X4)',
  })
  async bundle(@Caller() actor: Actor, @Param() { seed }: JobPath): Promise<StreamableFile> {
    const lines = await this.queries.execute(new ExportJob(actor, seed));
    return bundleFile(seed.replaceAll(':', '_'), lines);
  }

  @Post(':seed/replays')
  @Roles(readersOf('job'))
  @Answers(200, ReplayReportDto)
  @Fails('NOT_FOUND', 'REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE')
  @ApiOperation({
    summary: 'Replay the job from its inputs and compare every event (SPEC X1)',
  })
  replay(@Caller() actor: Actor, @Param() { seed }: JobPath, @Body() { mode }: ReplayDto) {
    return this.queries.execute(new ReplayJob(actor, seed, mode ?? 'audit'));
  }
}
