import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { ListProjections } from './list-projections.js';
import { RebuildProjection } from './rebuild-projection.js';

@ApiTags('projections')
@Controller('v1/projections')
export class ProjectionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  list(@Request() asked: ListProjections) {
    return this.queries.execute(asked);
  }

  @Post(':name/rebuild')
  rebuild(@Request() projection: RebuildProjection) {
    return this.commands.execute(projection);
  }
}
