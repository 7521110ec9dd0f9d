import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { CloseCollision } from './close-collision.js';
import { ListCollisions } from './list-collisions.js';

@ApiTags('collisions')
@Controller('v1/collisions')
export class CollisionsController extends RequestController {
  @Get()
  list(@Request() asked: ListCollisions) {
    return this.queries.execute(asked);
  }

  @Post(':id/closure')
  close(@Request() closure: CloseCollision) {
    return this.commands.execute(closure);
  }
}
