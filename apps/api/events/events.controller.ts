import { Controller, Get, Query, Res, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Fails } from '../platform/http/answers.decorator.js';
import { FollowEventsQuery } from './dto/events.dto.js';
import { EVENT_STREAM, Holder, LastEventId, TakesLastEventId } from './event-stream.decorators.js';
import { EventStreams } from './event-streams.js';
import { FollowEvents } from './follow-events.handler.js';
import type { StreamHolder } from './stream-holder.js';

/** The log as a stream of server-sent events (SPEC §13). */
@ApiTags('audit')
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly streams: EventStreams,
  ) {}

  @Get()
  @Roles(readersOf('stream'))
  @TakesLastEventId()
  @ApiOkResponse({
    description: 'Each event has its position as its id, and the stored event as JSON as its data.',
    content: { [EVENT_STREAM]: { schema: { type: 'string' } } },
  })
  @Fails('RATE_LIMITED')
  @ApiOperation({
    summary:
      'Follow the log as server-sent events; agents and users get the events of their own streams',
  })
  async follow(
    @Caller() actor: Actor,
    @Holder() holder: StreamHolder,
    @LastEventId() lastEventId: bigint | undefined,
    @Query() filter: FollowEventsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const events = await this.queries.execute(new FollowEvents(actor, filter, lastEventId));
    return this.streams.answer(holder, events, reply);
  }
}
