import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiConflictResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Json } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { EmptyDto } from '../platform/http/empty.dto.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { AddToLog, type Addition } from './add-to-log.handler.js';
import { ChangeLog } from './change-log.handler.js';
import {
  AmendmentViewDto,
  AuditTagsDto,
  FeedbackViewDto,
  LabelViewDto,
  LogPostedDto,
  LogsPageDto,
  LogVerificationDto,
  LogWithAdditionsDto,
  PostLogDto,
  ReviewViewDto,
} from './dto/log-view.dto.js';
import {
  AmendmentDto,
  FeedbackDto,
  LabelDto,
  LogPath,
  LogQuery,
  LogsQuery,
  ReviewDto,
  TagsDto,
} from './dto/reflective-log.dto.js';
import { ListLogs } from './list-logs.handler.js';
import { PostLog } from './post-log.handler.js';
import { ReadLog } from './read-log.handler.js';
import { VerifyLogs } from './verify-logs.handler.js';

@ApiTags('reflective-logs')
@Controller('v1/reflective-logs')
export class ReflectiveLogsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

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
  @ReadsFrom('reflective_logs')
  @Roles(readersOf('log'))
  @Answers(200, LogsPageDto)
  @ApiOperation({ summary: 'Logs, oldest first; most callers get their own logs (SPEC I9)' })
  list(@Caller() actor: Actor, @Query() filter: LogsQuery) {
    return this.queries.execute(new ListLogs(actor, filter));
  }

  @Post('verification')
  @Roles({ all: ['admin', 'auditor'] })
  @Answers(200, LogVerificationDto)
  @ApiOperation({ summary: 'Check every row against its signature and the log (SPEC L5)' })
  verify(@Body() _body: EmptyDto) {
    return this.commands.execute(new VerifyLogs());
  }

  @Get(':id')
  @ReadsFrom('reflective_logs')
  @Roles(readersOf('log'))
  @Answers(200, LogWithAdditionsDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'A log with its additions, and whether its signature is valid' })
  get(@Caller() actor: Actor, @Param() { id }: LogPath, @Query() { artifacts = false }: LogQuery) {
    return this.queries.execute(new ReadLog(actor, id, artifacts));
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
  @Roles({ own: ['agent', 'user'], of: 'log', all: ['council', 'admin'] })
  @Answers(201, AmendmentViewDto)
  @Fails('NOT_FOUND')
  @ApiOperation({
    summary: 'Add a correction or comment to a log, which itself stays unchanged (SPEC L4)',
  })
  amend(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: LogPath,
    @Body() body: AmendmentDto,
  ) {
    return this.add(actor, id, { type: 'amend', ...body }, identity);
  }

  @Post(':id/feedback')
  @Roles({ own: ['user'], of: 'log' })
  @Answers(201, FeedbackViewDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'Add the user’s feedback on the answer (SPEC L4)' })
  giveFeedback(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: LogPath,
    @Body() body: FeedbackDto,
  ) {
    return this.add(actor, id, { type: 'give_feedback', ...body }, identity);
  }

  @Post(':id/labels')
  @Roles({ own: ['agent'], of: 'log', all: ['council', 'auditor', 'admin'] })
  @Answers(201, LabelViewDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'Add the ground truth (SPEC L4)' })
  label(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: LogPath,
    @Body() body: LabelDto,
  ) {
    return this.add(actor, id, { type: 'label', ...body }, identity);
  }

  @Post(':id/tags')
  @Roles({ own: ['agent'], of: 'log', all: ['auditor', 'admin'] })
  @Answers(201, AuditTagsDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'Add audit tags (SPEC L4)' })
  tag(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: LogPath,
    @Body() body: TagsDto,
  ) {
    return this.add(actor, id, { type: 'tag', ...body }, identity);
  }

  @Post(':id/reviews')
  @Roles({ own: ['agent', 'user'], of: 'log', all: ['admin'] })
  @Answers(201, ReviewViewDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'Request a review by the council (SPEC A3)' })
  requestReview(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: LogPath,
    @Body() body: ReviewDto,
  ) {
    return this.add(actor, id, { type: 'request_review', ...body }, identity);
  }

  private async add(actor: Actor, id: string, addition: Addition, identity: RequestIdentity) {
    const { body, position } = await this.commands.execute(
      new AddToLog(actor, id, addition, identity),
    );
    return Answer.written(body, position);
  }
}
