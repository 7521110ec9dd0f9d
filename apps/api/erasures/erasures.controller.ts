import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { ActionRequestPath } from '../action-requests/dto/action-request.dto.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { EmptyDto } from '../platform/http/empty.dto.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ErasureReceiptDto } from './dto/erasure.dto.js';
import { ExecuteErasure } from './execute-erasure.handler.js';
import { GetErasure } from './get-erasure.handler.js';

@ApiTags('privacy')
@Controller('v1/erasures')
export class ErasuresController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post(':id/execution')
  @Roles({ all: ['admin'] })
  @Answers(200, ErasureReceiptDto)
  @Fails('NOT_FOUND')
  @ApiOperation({
    summary: 'Destroy the keys of a subject, after the council approved it (SPEC G6)',
  })
  execute(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: ActionRequestPath,
    @Body() _body: EmptyDto,
  ) {
    return this.commands.execute(new ExecuteErasure(actor, id, identity));
  }

  @Get(':id')
  @Roles(readersOf('request'))
  @Answers(200, ErasureReceiptDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'The signed receipt of an executed erasure (SPEC G6)' })
  get(@Caller() actor: Actor, @Param() { id }: ActionRequestPath) {
    return this.queries.execute(new GetErasure(actor, id));
  }
}
