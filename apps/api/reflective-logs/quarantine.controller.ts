import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReflectiveLogQueries } from '#projections/reflective-logs/queries.js';
import { Roles } from '../platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { LogEnd } from '../platform/log-end.js';
import { QuarantineQuery } from './dto/reflective-log.dto.js';

const DEFAULT_PAGE = 50;

@ApiTags('reflective-logs')
@Controller('v1/quarantine')
export class QuarantineController {
  constructor(
    private readonly queries: ReflectiveLogQueries,
    private readonly logEnd: LogEnd,
  ) {}

  @Get()
  @ReadsFrom('reflective_logs')
  @Roles('admin', 'auditor')
  @ApiOperation({ summary: 'Logs and rows that were no good, past the privacy gate (SPEC L5)' })
  async list(@Query() { cursor, limit = DEFAULT_PAGE }: QuarantineQuery) {
    // A refusal names no position to wait for: what it put here is shown all the same.
    const isCurrent = await this.logEnd.isReached('reflective_logs');
    const rows = await this.queries.quarantine(cursor, limit + 1);
    const page = rows.slice(0, limit);
    const answer = {
      quarantine: page.map(({ cursor: _, ...row }) => row),
      next_cursor: rows.length > limit ? (page.at(-1)?.cursor ?? null) : null,
    };
    return isCurrent ? answer : Answer.stale(answer);
  }
}
