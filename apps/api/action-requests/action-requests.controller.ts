import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { requestStream } from '#domain/action-request/state.js';
import { mayReadRequest, requestView } from '#domain/action-request/view.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { isSealed } from '#domain/held.js';
import { hasRole, ownUserId } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import {
  ActionRequestQueries,
  type ActionRequestRow,
} from '#projections/action-requests/queries.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../platform/tokens.js';
import { CastVote } from './cast-vote.handler.js';
import {
  ActionRequestDto,
  ActionRequestPath,
  ActionRequestsQuery,
  VoteDto,
} from './dto/action-request.dto.js';
import { ProposeAction } from './propose-action.handler.js';

const DEFAULT_PAGE = 50;

/** A sealed value is shown as such (SPEC P3). */
const rowView = ({ held, cursor: _, ...row }: ActionRequestRow) => ({
  ...row,
  value: isSealed(held) ? `[REDACTED:${held.sealed.type}]` : held.value,
});

/** The requests that a caller reaches as their proposer (SPEC I9). */
function proposedBy(actor: Actor): { proposerSub: string; proposerUserId?: string } {
  const own = ownUserId(actor);
  return {
    proposerSub: actor.sub,
    ...(own === undefined ? {} : { proposerUserId: foldUserId(own) }),
  };
}

@ApiTags('action-requests')
@Controller('v1/action-requests')
export class ActionRequestsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: ActionRequestQueries,
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
  ) {}

  @Post()
  @Roles('agent', 'user')
  @ApiOperation({ summary: 'Propose a fact to the council; touches no fact (SPEC G1)' })
  async propose(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: ActionRequestDto,
  ) {
    const { results, position } = await this.commands.execute(
      new ProposeAction(actor, body, identity),
    );
    return Answer.written(results[0], position);
  }

  @Get()
  @ReadsFrom('action_requests')
  @ApiOperation({ summary: 'The council’s queue; to others, what they proposed (SPEC G2)' })
  async list(@Caller() actor: Actor, @Query() { status, cursor, limit }: ActionRequestsQuery) {
    const seesAll = hasRole(actor, 'council', 'admin', 'auditor');
    const size = limit ?? DEFAULT_PAGE;
    const rows = await this.queries.list({
      ...(status === undefined ? {} : { status }),
      ...(seesAll ? {} : proposedBy(actor)),
      ...(cursor === undefined ? {} : { after: cursor }),
      limit: size + 1,
    });
    const page = rows.slice(0, size);
    return {
      action_requests: page.map(rowView),
      next_cursor: rows.length > size ? (page.at(-1)?.cursor ?? null) : null,
    };
  }

  @Get(':id')
  @ApiOperation({ summary: 'One request with its votes and what came of it' })
  async get(@Caller() actor: Actor, @Param() { id }: ActionRequestPath) {
    const { state, position } = await this.requests.load(requestStream(id));
    if (state.request === null) throw new Refusal('NOT_FOUND', { what: 'action request', id });
    permit(mayReadRequest(actor, state), `read action request ${id}`, 'I9');
    return Answer.written(requestView(state), position);
  }

  @Post(':id/votes')
  @HttpCode(200)
  @Roles('council')
  @ApiOperation({ summary: 'One vote a council member, on the proposal as it was seen (SPEC G2)' })
  async vote(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: ActionRequestPath,
    @Body() body: VoteDto,
  ) {
    const { state, position } = await this.commands.execute(
      new CastVote(actor, id, body, identity),
    );
    return Answer.written(requestView(state), position);
  }
}
