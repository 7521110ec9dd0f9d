import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Roles } from '../platform/auth/roles.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { EmptyDto } from '../platform/http/empty.dto.js';
import { READ_MODEL_NAMES, ReadsWithoutOwnWrites } from '../platform/http/reads-from.decorator.js';
import { ProjectionPath, ProjectionsDto, RebuildDto } from './dto/projection.dto.js';
import { ListProjections } from './list-projections.handler.js';
import { RebuildProjection } from './rebuild-projection.handler.js';

@ApiTags('projections')
@Controller('v1/projections')
export class ProjectionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ReadsWithoutOwnWrites(...READ_MODEL_NAMES)
  @Roles({ all: ['admin', 'auditor'] })
  @Answers(200, ProjectionsDto)
  @ApiOperation({ summary: 'The progress of each read model, and the event that stopped it' })
  list() {
    return this.queries.execute(new ListProjections());
  }

  @Post(':name/rebuild')
  @Roles({ all: ['admin'] })
  @Answers(202, RebuildDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'Rebuild a read model beside the live one, then swap (SPEC X5)' })
  rebuild(@Param() { name }: ProjectionPath, @Body() _body: EmptyDto) {
    return this.commands.execute(new RebuildProjection(name));
  }
}
