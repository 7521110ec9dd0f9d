import { Module } from '@nestjs/common';
import { ListProjectionsHandler } from './list-projections.js';
import { ProjectionsController } from './projections.controller.js';
import { RebuildProjectionHandler } from './rebuild-projection.js';

@Module({
  controllers: [ProjectionsController],
  providers: [ListProjectionsHandler, RebuildProjectionHandler],
})
export class ProjectionsModule {}
