import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { HealthIndicatorResult } from '@nestjs/terminus';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { Roles } from '../platform/auth/roles.js';
import { logRoom } from '../platform/errors/log-room.js';
import { WriteHealth } from '../platform/errors/write-health.js';
import { Answers } from '../platform/http/answers.decorator.js';
import { CONFIG } from '../platform/tokens.js';
import { Readiness } from './readiness.js';
import { StatusDto } from './status.dto.js';

type Check = HealthIndicatorResult[string] & { readonly reason?: unknown };

const reasonOf = ({ reason }: Check): string | null => (typeof reason === 'string' ? reason : null);

/** The state of the service and of its log's room, for people. */
@ApiTags('admin')
@Controller('v1/admin/status')
export class StatusController {
  constructor(
    private readonly readiness: Readiness,
    private readonly writes: WriteHealth,
    @Inject(CONFIG) private readonly config: ServiceConfig,
  ) {}

  @Get()
  @Roles({ all: ['admin', 'auditor'] })
  @Answers(200, StatusDto)
  @ApiOperation({ summary: 'Whether the service is ready, and how much room the log has' })
  async status(): Promise<StatusDto> {
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
