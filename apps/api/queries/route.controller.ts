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
import { RoutedDto } from './dto/query-answer.dto.js';
import { RouteDto } from './dto/route.dto.js';
import { RouteQuery } from './route-query.handler.js';

@ApiTags('queries')
@Controller('v1/route')
export class RouteController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @Roles({ own: ROLES, of: 'user' })
  @Answers(200, RoutedDto)
  @Fails('ROUTER_NO_MATCH', 'PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'The agent that would answer a query, and the routing rule (SPEC R1)' })
  async route(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: RouteDto,
  ) {
    const { results, position } = await this.commands.execute(
      new RouteQuery(actor, body, identity),
    );
    return Answer.written(results[0], position);
  }
}
