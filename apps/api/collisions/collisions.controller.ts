import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { CloseCollision } from './close-collision.js';
import { ListCollisions } from './list-collisions.js';

@ApiTags('collisions')
@Controller('v1/collisions')
export class CollisionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  list(@Request() asked: ListCollisions) {
    return this.queries.execute(asked);
  }

  @Post(':id/closure')
  close(@Request() closure: CloseCollision) {
    return this.commands.execute(closure);
  }
}
