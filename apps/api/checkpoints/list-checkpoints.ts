import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { StoredCheckpoint } from '#projections/checkpoints/checkpoints.projection.js';
import { CheckpointQueries } from '#projections/checkpoints/queries.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { NewestFirst } from '../oversight/audit-page.js';
import { Answer } from '../platform/http/answer.js';
import { Describes } from '../platform/http/request.js';
import { LogEnd } from '../platform/log-end.js';
import { pageOf } from '../platform/page.js';
import { CONFIG } from '../platform/tokens.js';
import { CheckpointMaking } from './checkpoint-making.js';
import { CheckpointPlaces } from './checkpoint-places.js';
import { type LogCheckpointDto, LogCheckpointsPageDto } from './checkpoint-view.js';

const DEFAULT_PAGE = 50;

@Describes({
  summary: 'The signed checkpoints of the log, newest first, and where their files are kept',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, LogCheckpointsPageDto],
  reads: ['checkpoints'],
})
export class ListLogCheckpoints extends NewestFirst<LogCheckpointsPageDto> {}

@QueryHandler(ListLogCheckpoints)
export class ListLogCheckpointsHandler implements IQueryHandler<ListLogCheckpoints> {
  constructor(
    @Inject(CONFIG) private readonly config: ServiceConfig,
    private readonly checkpoints: CheckpointQueries,
    private readonly making: CheckpointMaking,
    private readonly places: CheckpointPlaces,
    private readonly logEnd: LogEnd,
  ) {}

  async execute(asked: ListLogCheckpoints): Promise<Answer<LogCheckpointsPageDto>> {
    const isCurrent = await this.logEnd.isReached('checkpoints');
    const { cursor, limit = DEFAULT_PAGE } = asked;
    const found = await this.checkpoints.list(cursor, limit + 1);
    const { rows, next_cursor } = pageOf(found, limit, ({ position }) => position);
    const { everyMinutes, lockDays } = this.config.checkpoints;
    const schedule = {
      every_minutes: everyMinutes === 0 ? null : everyMinutes,
      places: this.places.names,
      lock_days: lockDays ?? null,
    };
    const running = (await this.making.running()) ?? null;
    const body = { checkpoints: rows.map(checkpointOf), next_cursor, running, schedule };
    return Answer.read(body, isCurrent);
  }
}

/** Returns what a row shows. */
export function checkpointOf(row: StoredCheckpoint): LogCheckpointDto {
  const { is_waiting: _, log_position: position, events, found, bytes, ...shown } = row;
  const figures = { events: Number(events), found: Number(found), bytes: Number(bytes) };
  return { ...shown, ...figures, position };
}
