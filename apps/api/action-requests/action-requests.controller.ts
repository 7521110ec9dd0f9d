import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { UnredactedQuery } from '../privacy/dto/unredacted.dto.js';
import { ReadByParameter, type ReadContext } from '../privacy/read-context.decorator.js';
import { AddToRequest, type RequestAddition } from './propose/add-to-request.handler.js';
import { CastVote } from './vote/cast-vote.handler.js';
import {
  ActionRequestDto,
  ActionRequestPath,
  AnswerDto,
  QuestionDto,
  RevisionDto,
  VoteDto,
} from './dto/action-request.dto.js';
import { ActionRequestViewDto } from './dto/action-request-view.dto.js';
import { ActionRequestsPageDto } from './dto/action-requests-page.dto.js';
import { ActionRequestsQuery } from './dto/action-requests-query.dto.js';
import { VotedRequestDto } from './dto/votes.dto.js';
import { GetActionRequest } from './read/get-action-request.handler.js';
import { ListActionRequests } from './read/list-action-requests.handler.js';
import { ProposeAction } from './propose/propose-action.handler.js';
import { ProposeGovernance } from './propose/propose-governance.handler.js';
import { ShownRequests } from './read/shown-requests.js';

/** The roles that review proposals (SPEC G2). */
const REVIEWERS = { all: ['council', 'admin'] } as const;

@ApiTags('action-requests')
@Controller('v1/action-requests')
export class ActionRequestsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly shown: ShownRequests,
  ) {}

  @Post()
  @Roles({ own: ['agent', 'user'], of: 'user', all: ['admin'] })
  @Answers(201, ActionRequestViewDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED')
  @ApiOperation({
    summary:
      'Propose a fact, consent for sensitive data, or an erasure to the council; changes none of them (SPEC G1)',
  })
  async propose(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: ActionRequestDto,
  ) {
    const { kind = 'sem_put' } = body;
    const { results, position } = await this.commands.execute(
      kind === 'sem_put'
        ? new ProposeAction(actor, body, identity)
        : new ProposeGovernance(actor, kind, body, identity),
    );
    return Answer.written(results[0], position);
  }

  @Get()
  @ReadsFrom('action_requests', 'sem', 'episodes')
  @Roles(readersOf('request'))
  @Answers(200, ActionRequestsPageDto)
  @ApiOperation({
    summary:
      'The council’s queue; other callers get the proposals by them and for their user (SPEC G2)',
  })
  list(@Caller() actor: Actor, @Query() filter: ActionRequestsQuery) {
    return this.queries.execute(new ListActionRequests(actor, filter));
  }

  @Get(':id')
  @Roles(readersOf('request'))
  @Answers(200, ActionRequestViewDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'One request with its votes and its outcome' })
  get(
    @Caller() actor: Actor,
    @ReadByParameter() context: ReadContext,
    @Param() { id }: ActionRequestPath,
    @Query() { unredacted }: UnredactedQuery,
  ) {
    return this.queries.execute(new GetActionRequest(actor, id, unredacted, context));
  }

  @Post(':id/votes')
  @Roles(REVIEWERS)
  @Answers(200, VotedRequestDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'A reviewer’s vote on the proposal with this hash (SPEC G2)' })
  async vote(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: ActionRequestPath,
    @Body() body: VoteDto,
  ) {
    const { state, position, receipt } = await this.commands.execute(
      new CastVote(actor, id, body, identity),
    );
    const shown = (await this.shown.of(actor, state)) as JsonObject;
    return Answer.written({ ...shown, receipt }, position);
  }

  @Post(':id/revisions')
  @Roles(REVIEWERS)
  @Answers(201, ActionRequestViewDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED')
  @ApiOperation({
    summary:
      'Propose another value; earlier votes no longer count, the editor may not vote (SPEC G8)',
  })
  revise(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: ActionRequestPath,
    @Body() body: RevisionDto,
  ) {
    return this.add(actor, id, { type: 'revise', ...body }, identity);
  }

  @Post(':id/questions')
  @Roles(REVIEWERS)
  @Answers(201, ActionRequestViewDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Ask the proposer a question (SPEC G8)' })
  ask(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: ActionRequestPath,
    @Body() body: QuestionDto,
  ) {
    return this.add(actor, id, { type: 'ask', ...body }, identity);
  }

  @Post(':id/answers')
  @Roles({ own: ['agent', 'user'], of: 'request' })
  @Answers(201, ActionRequestViewDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'The proposer’s answer to the reviewers’ questions (SPEC G8)' })
  answer(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: ActionRequestPath,
    @Body() body: AnswerDto,
  ) {
    return this.add(actor, id, { type: 'answer', ...body }, identity);
  }

  private async add(
    actor: Actor,
    id: string,
    addition: RequestAddition,
    identity: RequestIdentity,
  ) {
    const { state, position } = await this.commands.execute(
      new AddToRequest(actor, id, addition, identity),
    );
    return Answer.written(await this.shown.of(actor, state), position);
  }
}
