import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { ROLES } from '#platform/auth/roles.js';
import { Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { AskQuery } from './ask-query.handler.js';
import { AskQueryDto } from './dto/ask-query.dto.js';
import { QueryAnswerDto } from './dto/query-answer.dto.js';

@ApiTags('queries')
@Controller('v1/queries')
export class QueriesController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @Roles({ own: ROLES, of: 'user' })
  @Answers(200, QueryAnswerDto)
  @Fails(
    'SEM_NOT_FOUND',
    'ROUTER_NO_MATCH',
    'AGENT_TIMEOUT',
    'AGENT_ERROR',
    'LLM_SERVICE_DOWN',
    'COUNCIL_DEADLOCK',
    'REPAIR_LIMIT_EXCEEDED',
    'PRIVACY_BLOCKED',
    'JOB_EXISTS',
    'NOT_FOUND',
  )
  @ApiOperation({ summary: 'Answer a person’s question, through the whole pipeline (SPEC A4)' })
  async ask(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: AskQueryDto,
  ) {
    const { body: answer, position } = await this.commands.execute(
      new AskQuery(actor, body, identity),
    );
    return Answer.written(answer, position);
  }
}
