import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { ReadModels, ReadModelStatus } from '../platform/read-models.js';
import { READ_MODELS } from '../platform/tokens.js';
import type { ProjectionDto, ProjectionsDto } from './dto/projection.dto.js';

const view = ({ name, position, stopped, ...status }: ReadModelStatus): ProjectionDto => ({
  name,
  position: position?.toString() ?? null,
  stopped: stopped === undefined ? null : { ...stopped, position: stopped.position.toString() },
  rebuilding: status.rebuilding,
  heartbeat_seconds_ago: status.heartbeatSecondsAgo ?? null,
});

export class ListProjections extends Query<ProjectionsDto> {}

/** Lists the read models with their progress and, if one has stopped, the reason. */
@QueryHandler(ListProjections)
export class ListProjectionsHandler implements IQueryHandler<ListProjections> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute(): Promise<ProjectionsDto> {
    return { projections: (await this.readModels.status()).map(view) };
  }
}
