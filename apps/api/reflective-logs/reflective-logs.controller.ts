import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Json } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ChangeLog } from './change-log.handler.js';
import { ListLogs } from './list-logs.js';
import { AmendLog, GiveFeedback, LabelLog, RequestReview, TagLog } from './log-additions.js';
import { LogPath } from './log-fields.js';
import { LogPostedDto, PostLogDto } from './log-view.js';
import { PostLog } from './post-log.handler.js';
import { ReadLog } from './read-log.js';
import { VerifyLogs } from './verify-logs.js';
import { ListQuarantine } from './list-quarantine.js';

@ApiTags('reflective-logs')
@Controller('v1/reflective-logs')
export class ReflectiveLogsController extends RequestController {
  @Post()
  @Roles({ own: ['agent'], of: 'job', all: ['admin'] })
  @ApiBody({ type: PostLogDto })
  @Answers(201, LogPostedDto)
  @Fails('LOG_INVALID', 'LOG_EXISTS', 'PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Write a log with all immutable fields; it is signed (SPEC L1, L2)' })
  async post(@Caller() actor: Actor, @Identity() identity: RequestIdentity, @Body() log: Json) {
    const { results, position } = await this.commands.execute(new PostLog(actor, log, identity));
    return Answer.written(results[0], position);
  }

  @Get()
  list(@Request() asked: ListLogs) {
    return this.queries.execute(asked);
  }

  @Post('verification')
  verify(@Request() asked: VerifyLogs) {
    return this.commands.execute(asked);
  }

  @Get(':id')
  get(@Request() asked: ReadLog) {
    return this.queries.execute(asked);
  }

  @Patch(':id')
  @Roles(readersOf('log'))
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  @ApiConflictResponse()
  @Fails('NOT_FOUND', 'IMMUTABLE_FIELD')
  @ApiOperation({
    summary: 'Always refused: a log never changes; add an amendment instead (SPEC L3)',
  })
  patch(@Caller() actor: Actor, @Param() { id }: LogPath, @Body() body: Json) {
    return this.commands.execute(new ChangeLog(actor, id, body));
  }

  @Post(':id/amendments')
  amend(@Request() addition: AmendLog) {
    return this.commands.execute(addition);
  }

  @Post(':id/feedback')
  giveFeedback(@Request() addition: GiveFeedback) {
    return this.commands.execute(addition);
  }

  @Post(':id/labels')
  label(@Request() addition: LabelLog) {
    return this.commands.execute(addition);
  }

  @Post(':id/tags')
  tag(@Request() addition: TagLog) {
    return this.commands.execute(addition);
  }

  @Post(':id/reviews')
  requestReview(@Request() addition: RequestReview) {
    return this.commands.execute(addition);
  }
}

@ApiTags('reflective-logs')
@Controller('v1/quarantine')
export class QuarantineController extends RequestController {
  @Get()
  list(@Request() asked: ListQuarantine) {
    return this.queries.execute(asked);
  }
}
