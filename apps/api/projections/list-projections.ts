import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { EventStore } from '#event-store/event-store.js';
import { ageOfFirstAfter } from '../health/projection-lag.js';
import type { ReadModels, ReadModelStatus } from '../platform/read-models.js';
import { EVENT_STORE, READ_MODELS } from '../platform/tokens.js';
import { type ProjectionDto, ProjectionsDto } from './projection-view.js';
import { READ_MODEL_NAMES } from '../platform/http/reads-from.decorator.js';
import { Describes, ReadRequest } from '../platform/http/request.js';

@Describes({
  summary: 'The progress of each read model, and the event that stopped it',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, ProjectionsDto],
  reads: READ_MODEL_NAMES,
  ignoresOwnWrites: true,
})
export class ListProjections extends ReadRequest<ProjectionsDto> {}

@QueryHandler(ListProjections)
export class ListProjectionsHandler implements IQueryHandler<ListProjections> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
  ) {}

  async execute(): Promise<ProjectionsDto> {
    const end = await this.eventStore.lastPosition().catch(() => undefined);
    const statuses = await this.readModels.status();
    return {
      projections: await Promise.all(statuses.map((status) => this.view(status, end))),
      log_end: end?.toString() ?? null,
    };
  }

  private async view(status: ReadModelStatus, end: bigint | undefined): Promise<ProjectionDto> {
    const { name, position, stopped, rebuiltTo } = status;
    const lag = await ageOfFirstAfter(this.eventStore, position, end).catch(() => null);
    return {
      name,
      position: position?.toString() ?? null,
      lag_seconds: end === undefined ? null : lag,
      stopped: stopped === undefined ? null : { ...stopped, position: stopped.position.toString() },
      filling: status.isFilling,
      rebuilding: status.rebuilding,
      rebuilt_to: rebuiltTo?.toString() ?? null,
      another_log: status.anotherLog ?? null,
      leader: status.leader ?? null,
      heartbeat_seconds_ago: status.heartbeatSecondsAgo ?? null,
      compared_at: status.comparedAt?.toISOString() ?? null,
      differences: status.differences,
    };
  }
}
