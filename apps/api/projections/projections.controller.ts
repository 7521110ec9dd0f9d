import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ListProjections } from './list-projections.js';
import { RebuildProjection } from './rebuild-projection.js';

@ApiTags('projections')
@Controller('v1/projections')
export class ProjectionsController extends RequestController {
  @Get()
  list(@Request() asked: ListProjections) {
    return this.queries.execute(asked);
  }

  @Post(':name/rebuild')
  rebuild(@Request() projection: RebuildProjection) {
    return this.commands.execute(projection);
  }
}
