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
import { CloseCollision } from './close-collision.handler.js';
import { CollisionDto, CollisionsPageDto } from './dto/collision-view.dto.js';
import { ClosureDto, CollisionPath, CollisionsQuery } from './dto/collision.dto.js';
import { ListCollisions } from './list-collisions.handler.js';

@ApiTags('collisions')
@Controller('v1/collisions')
export class CollisionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ReadsFrom('collisions')
  @Roles({ all: ['council', 'admin', 'auditor'] })
  @Answers(200, CollisionsPageDto)
  @ApiOperation({ summary: 'Titles that generate a key which another title owns (SPEC K4)' })
  list(@Query() filter: CollisionsQuery) {
    return this.queries.execute(new ListCollisions(filter));
  }

  @Post(':id/closure')
  @ReadsFrom('collisions')
  @Roles({ all: ['council', 'admin'] })
  @Answers(201, CollisionDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Close a collision after its review; both titles keep their keys' })
  async close(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Param() { id }: CollisionPath,
    @Body() { reason }: ClosureDto,
  ) {
    const { body, position } = await this.commands.execute(
      new CloseCollision(actor, id, reason, identity),
    );
    return Answer.written(body, position);
  }
}
