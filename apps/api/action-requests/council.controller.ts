import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { ActionRequestPath } from './dto/action-request.dto.js';
import { DossierDto } from './dto/dossier.dto.js';
import { FiguresDto, FiguresQuery } from './dto/figures.dto.js';
import { RechecksDto, RequestIdsDto } from './dto/rechecks.dto.js';
import { ReceiptDto, ReceiptPath } from './dto/receipt.dto.js';
import { ApprovalsDto, BallotResultsDto, RejectionsDto } from './dto/votes.dto.js';
import { GetDossier } from './read/get-dossier.handler.js';
import { GetFigures } from './read/get-figures.handler.js';
import { GetReceipt } from './read/get-receipt.handler.js';
import { RecheckRequests } from './recheck/recheck-requests.handler.js';
import { type ManyVotes, VoteOnMany } from './vote/vote-on-many.handler.js';

/** The roles that read dossiers, receipts and figures. */
const OVERSIGHT = { all: ['council', 'admin', 'auditor'], of: 'request' } as const;
const REVIEWERS = { all: ['council', 'admin'] } as const;

@ApiTags('action-requests')
@Controller('v1/action-requests')
export class CouncilController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('figures')
  @ReadsFrom('action_requests')
  @Roles(OVERSIGHT)
  @Answers(200, FiguresDto)
  @ApiOperation({
    summary: 'The council’s own figures for the requests that were closed in a period',
  })
  figures(@Query() filter: FiguresQuery) {
    return this.queries.execute(new GetFigures(filter));
  }

  @Post('rechecks')
  @ReadsFrom('action_requests', 'sem', 'episodes')
  @Roles(OVERSIGHT)
  @Answers(200, RechecksDto)
  @ApiOperation({
    summary:
      'Check up to 100 waiting requests again: what has changed, and whether an approval would be refused now. Nothing is recorded',
  })
  recheck(@Body() { request_ids }: RequestIdsDto) {
    return this.queries.execute(new RecheckRequests(request_ids));
  }

  @Get(':id/dossier')
  @ReadsFrom('action_requests', 'sem', 'episodes')
  @Roles(OVERSIGHT)
  @Answers(200, DossierDto)
  @Fails('NOT_FOUND')
  @ApiOperation({
    summary:
      'Everything to decide on one request: the present fact, evidence, risk, and what has changed',
  })
  dossier(@Caller() actor: Actor, @Param() { id }: ActionRequestPath) {
    return this.queries.execute(new GetDossier(actor, id));
  }

  @Get(':id/receipts/:number')
  @Roles(OVERSIGHT)
  @Answers(200, ReceiptDto)
  @Fails('NOT_FOUND')
  @ApiOperation({
    summary: 'An event of a request, such as a vote, as a signed document (SPEC I6)',
  })
  receipt(@Caller() actor: Actor, @Param() { id, number }: ReceiptPath) {
    return this.queries.execute(new GetReceipt(actor, id, Number(number)));
  }

  @Post('rejections')
  @Roles(REVIEWERS)
  @Answers(200, BallotResultsDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Reject up to 100 requests, each by a vote of its own' })
  reject(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: RejectionsDto,
  ) {
    return this.voteOnMany(actor, { vote: 'reject', ...body }, identity);
  }

  @Post('approvals')
  @Roles(REVIEWERS)
  @Answers(200, BallotResultsDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Approve up to 100 requests, but none of high risk (SPEC G9)' })
  approve(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: ApprovalsDto,
  ) {
    return this.voteOnMany(actor, { vote: 'approve', ...body }, identity);
  }

  private async voteOnMany(actor: Actor, votes: ManyVotes, identity: RequestIdentity) {
    const { results, position } = await this.commands.execute(
      new VoteOnMany(actor, votes, identity),
    );
    return Answer.written({ results }, position);
  }
}
