import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Roles } from '../platform/auth/roles.js';
import { Answers } from '../platform/http/answers.decorator.js';
import {
  IntegrityFindingsDto,
  IntegrityReportDto,
  IntegrityRunsDto,
  VerifyEventLogDto,
} from './dto/integrity.dto.js';
import { IntegrityVerification } from './integrity-verification.js';
import { VerifyEventLog } from './verify-event-log.handler.js';

@ApiTags('integrity')
@Controller('v1/integrity')
export class IntegrityController {
  constructor(
    private readonly commands: CommandBus,
    private readonly verification: IntegrityVerification,
  ) {}

  @Post('verification')
  @Roles({ all: ['admin', 'auditor'] })
  @Answers(200, IntegrityReportDto)
  @ApiAcceptedResponse({
    type: IntegrityReportDto,
    description: 'The verification still runs; GET /v1/integrity/findings returns its result.',
  })
  @ApiOperation({ summary: 'Verify every stream of the event log: numbers, hashes, ids (SPEC I6)' })
  async verify(
    @Body() { decisions = false }: VerifyEventLogDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const report = await this.commands.execute(new VerifyEventLog(decisions));
    reply.status(report.finished_at === null ? 202 : 200);
    return report;
  }

  @Get('findings')
  @Roles({ all: ['admin', 'auditor'] })
  @Answers(200, IntegrityFindingsDto)
  @ApiOperation({
    summary: 'The findings of the last verification of the event log, by any instance',
  })
  async findings(): Promise<IntegrityFindingsDto> {
    const { last = null, running = null } = await this.verification.reports();
    return { last, running };
  }

  @Get('runs')
  @Roles({ all: ['admin', 'auditor'] })
  @Answers(200, IntegrityRunsDto)
  @ApiOperation({ summary: 'The past verifications of the event log, by all instances' })
  async runs(): Promise<IntegrityRunsDto> {
    return { runs: await this.verification.past() };
  }
}
