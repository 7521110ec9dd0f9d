import { Body, Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { EmptyDto } from '../platform/http/empty.dto.js';
import { Roles } from '../platform/auth/roles.js';
import { Text } from '../platform/http/fields.js';
import { READ_MODEL_NAMES, ReadsAsTheyAre } from '../platform/http/reads-from.decorator.js';
import type { ReadModels, ReadModelStatus } from '../platform/resources.js';
import { READ_MODELS } from '../platform/tokens.js';

class ProjectionPath {
  @Text({ min: 1, max: 64, pattern: /^[a-z_]+$/ })
  name!: string;
}

const view = (status: ReadModelStatus) => ({
  name: status.name,
  position: status.position?.toString() ?? null,
  stopped:
    status.stopped === undefined
      ? null
      : { ...status.stopped, position: status.stopped.position.toString() },
  rebuilding: status.rebuilding,
  heartbeat_seconds_ago: status.heartbeatSecondsAgo ?? null,
});

@ApiTags('projections')
@Controller('v1/projections')
export class ProjectionsController {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  @Get()
  @ReadsAsTheyAre(...READ_MODEL_NAMES)
  @Roles('admin', 'auditor')
  @ApiOperation({ summary: 'How far each read model is, and what stopped it' })
  async list() {
    return { projections: (await this.readModels.status()).map(view) };
  }

  @Post(':name/rebuild')
  @HttpCode(202)
  @Roles('admin')
  @ApiOperation({ summary: 'Rebuild a read model beside the live one, then swap (SPEC X5)' })
  async rebuild(@Param() { name }: ProjectionPath, @Body() _body: EmptyDto) {
    await this.readModels.rebuild(name);
    return { name, rebuilding: true };
  }
}
