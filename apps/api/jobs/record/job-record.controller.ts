import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
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
import { Fails } from '../../platform/http/answers.decorator.js';
import { Request } from '../../platform/http/request.js';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../../platform/auth/roles.js';
import { EventsQuery, ListJobEvents } from './list-job-events.handler.js';
import { JobEventsPageDto } from './job-record-view.js';
import { ExportJob } from './export-job.js';
import { GetJobState } from './get-job-state.js';
import { GetJobTimeline } from './get-job-timeline.js';
import { ListJobs } from './list-jobs.js';
import { ReplayJob } from './replay-job.js';
import { SeedText } from '../../platform/http/fields.js';

export class JobPath {
  @SeedText() seed!: string;
}

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
  list(@Request() asked: ListJobs) {
    return this.queries.execute(asked);
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
  timeline(@Request() asked: GetJobTimeline) {
    return this.queries.execute(asked);
  }

  @Get(':seed/states/:number')
  state(@Request() asked: GetJobState) {
    return this.queries.execute(asked);
  }

  @Get(':seed/bundle')
  bundle(@Request() asked: ExportJob) {
    return this.queries.execute(asked);
  }

  @Post(':seed/replays')
  replay(@Request() asked: ReplayJob) {
    return this.queries.execute(asked);
  }
}
