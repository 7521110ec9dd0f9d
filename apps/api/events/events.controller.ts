import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { UNBUFFERED } from './event-stream-request.js';
import { FollowEvents } from './follow-events.js';

/** The log as a stream of server-sent events (SPEC §13). */
@ApiTags('audit')
@Controller('v1/events')
export class EventsController extends RequestController {
  @Get()
  @Header(...UNBUFFERED)
  follow(@Request() asked: FollowEvents) {
    return this.queries.execute(asked);
  }
}
