import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { HealthCheckResult } from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import { Public } from '../platform/auth/roles.js';
import { Readiness } from './readiness.js';

/** Health checks for orchestrators and operators. The answers contain no stored value. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Answers 200 while the process runs. */
  @Get('live')
  @Public()
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Answers 200 if the service can handle commands and queries, and 503 if a check failed. */
  @Get('ready')
  @Public()
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthCheckResult> {
    const result = await this.readiness.check();
    if (result.status !== 'ok') reply.status(503);
    return result;
  }
}
