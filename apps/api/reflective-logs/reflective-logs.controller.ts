import { Body, Controller, Get, HttpCode, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json, JsonObject } from '#domain/json.js';
import { hasRole, ownUserId } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import type { Keyring } from '#domain/reflective-log/signature.js';
import { type LogFilter, ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { EmptyDto } from '../platform/http/empty.dto.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { KEYRING } from '../platform/tokens.js';
import { AddToLog, type Addition } from './add-to-log.handler.js';
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
import { LogAccess } from './log-access.js';
import { LogVerification } from './log-verification.js';
import { PostLog } from './post-log.handler.js';
import { ReadLog, rowView } from './read-log.handler.js';

const DEFAULT_PAGE = 20;

/** The logs that a caller reaches as their owner (SPEC I9). */
const ownedBy = (actor: Actor): NonNullable<LogFilter['owner']> => {
  const user = ownUserId(actor);
  return { sub: actor.sub, userFolded: user === undefined ? null : foldUserId(user) };
};

@ApiTags('reflective-logs')
@Controller('v1/reflective-logs')
export class ReflectiveLogsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queryBus: QueryBus,
    private readonly queries: ReflectiveLogQueries,
    private readonly access: LogAccess,
    private readonly verification: LogVerification,
    @Inject(KEYRING) private readonly keyring: Keyring,
  ) {}

  @Post()
  @Roles('agent', 'admin')
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  @ApiOperation({ summary: 'Write a log with all immutable fields; it is signed (SPEC L1, L2)' })
  async post(@Caller() actor: Actor, @Identity() identity: RequestIdentity, @Body() log: Json) {
    const { results, position } = await this.commands.execute(new PostLog(actor, log, identity));
    return Answer.written(results[0], position);
  }

  @Get()
  @ReadsFrom('reflective_logs')
  @ApiOperation({ summary: 'Logs, oldest first; to most callers, their own (SPEC I9)' })
  async list(
    @Caller() actor: Actor,
    @Query() { job_seed, query_id, cursor, limit = DEFAULT_PAGE }: LogsQuery,
  ) {
    const rows = await this.queries.list({
      ...(job_seed === undefined ? {} : { jobSeed: job_seed }),
      ...(query_id === undefined ? {} : { queryId: query_id }),
      ...(hasRole(actor, 'council', 'auditor', 'admin') ? {} : { owner: ownedBy(actor) }),
      ...(cursor === undefined ? {} : { after: cursor }),
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    return {
      reflective_logs: page.map((row) => rowView(row, this.keyring)),
      next_cursor: rows.length > limit ? (page.at(-1)?.position ?? null) : null,
    };
  }

  @Post('verification')
  @HttpCode(200)
  @Roles('admin', 'auditor')
  @ApiOperation({ summary: 'Check every row against its signature and the log (SPEC L5)' })
  verify(@Body() _body: EmptyDto) {
    return this.verification.run();
  }

  @Get(':id')
  @ReadsFrom('reflective_logs')
  @ApiOperation({ summary: 'A log with what was added to it, and whether its signature holds' })
  get(@Caller() actor: Actor, @Param() { id }: LogPath, @Query() { artifacts = false }: LogQuery) {
    return this.queryBus.execute(new ReadLog(actor, id, artifacts));
  }

  @Patch(':id')
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  @ApiOperation({ summary: 'Always refused: a log never changes, it is amended (SPEC L3)' })
  async patch(@Caller() actor: Actor, @Param() { id }: LogPath, @Body() body: Json) {
    await this.access.find(actor, id);
    const [field = 'any'] = Object.keys((body ?? {}) as JsonObject);
    const shown = /^[a-z_]{1,64}$/.test(field) ? field : 'of that name';
    throw new Refusal('IMMUTABLE_FIELD', { field: shown, what: `reflective log ${id}` });
  }

  @Post(':id/amendments')
  @Roles('agent', 'user', 'council', 'admin')
  @ApiOperation({ summary: 'Correct or comment a log without changing it (SPEC L4)' })
  amend(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: LogPath,
    @Body() body: AmendmentDto,
  ) {
    return this.add(actor, id, { type: 'amend', ...body }, identity);
  }

  @Post(':id/feedback')
  @Roles('user')
  @ApiOperation({ summary: 'What the user thinks of the answer (SPEC L4)' })
  giveFeedback(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: LogPath,
    @Body() body: FeedbackDto,
  ) {
    return this.add(actor, id, { type: 'give_feedback', ...body }, identity);
  }

  @Post(':id/labels')
  @Roles('agent', 'council', 'auditor', 'admin')
  @ApiOperation({ summary: 'What turned out to be true (SPEC L4)' })
  label(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: LogPath,
    @Body() body: LabelDto,
  ) {
    return this.add(actor, id, { type: 'label', ...body }, identity);
  }

  @Post(':id/tags')
  @Roles('auditor', 'admin')
  @ApiOperation({ summary: 'Tags of the audit (SPEC L4)' })
  tag(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: LogPath,
    @Body() body: TagsDto,
  ) {
    return this.add(actor, id, { type: 'tag', ...body }, identity);
  }

  @Post(':id/reviews')
  @Roles('agent', 'user', 'admin')
  @ApiOperation({ summary: 'Ask the council to look at it (SPEC A3)' })
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
