import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { IntegrityModule } from '../integrity/integrity.module.js';
import { GetStatusHandler } from './get-status.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { Readiness } from './readiness.js';
import { StatusController } from './status.controller.js';

@Module({
  imports: [TerminusModule.forRoot({ logger: false }), IntegrityModule],
  controllers: [HealthController, MetricsController, StatusController],
  providers: [Readiness, GetStatusHandler],
})
export class HealthModule {}
