import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { HealthIndicatorResult } from '@nestjs/terminus';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { logRoom } from '../platform/errors/log-room.js';
import { WriteHealth } from '../platform/errors/write-health.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { CONFIG } from '../platform/tokens.js';
import { Readiness } from './readiness.js';

export class CheckDto {
  @ApiField(TEXT, { description: 'What is checked, such as `postgres` or `projection_sem`.' })
  readonly name!: string;

  @ApiField(oneOf('up', 'down')) readonly status!: 'up' | 'down';
  @ApiField(orNull(TEXT)) readonly reason!: string | null;
}

/** The room of the event log, as far as this instance knows it. */
export class StorageDto {
  @ApiField(orNull(INSTANT), {
    description: 'Since when the log has no room; null if it has room.',
  })
  readonly full_since!: string | null;

  @ApiField(orNull(WHOLE), { description: 'Null for an event store that is elsewhere.' })
  readonly used_bytes!: number | null;

  @ApiField(orNull(WHOLE), {
    description: 'The bytes until the quota or the disk is full, whichever comes first.',
  })
  readonly free_bytes!: number | null;

  @ApiField(TEXT, { description: 'What makes room.' })
  readonly needs!: string;
}

export class StatusDto {
  @ApiField(FLAG, { description: 'True if no check failed.' })
  readonly ready!: boolean;

  @ApiField(many(CheckDto)) readonly checks!: readonly CheckDto[];
  @ApiField(one(StorageDto)) readonly storage!: StorageDto;
}

@Describes({
  summary: 'Whether the service is ready, and how much room the log has',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, StatusDto],
})
export class GetStatus extends ReadRequest<StatusDto> {}

type Check = HealthIndicatorResult[string] & { readonly reason?: unknown };

const reasonOf = ({ reason }: Check): string | null => (typeof reason === 'string' ? reason : null);

@QueryHandler(GetStatus)
export class GetStatusHandler implements IQueryHandler<GetStatus> {
  constructor(
    private readonly readiness: Readiness,
    private readonly writes: WriteHealth,
    @Inject(CONFIG) private readonly config: ServiceConfig,
  ) {}

  async execute(): Promise<StatusDto> {
    const { status, details } = await this.readiness.check();
    const room = await logRoom(this.config);
    return {
      ready: status === 'ok',
      checks: Object.entries(details).map(([name, check]) => ({
        name,
        status: check.status === 'up' ? 'up' : 'down',
        reason: reasonOf(check),
      })),
      storage: {
        full_since: this.writes.fullSince ?? null,
        used_bytes: room.storage_used_bytes,
        free_bytes: room.storage_free_bytes,
        needs: room.policy,
      },
    };
  }
}
