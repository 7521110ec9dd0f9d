import { Module } from '@nestjs/common';
import { IntegrityController } from './integrity.controller.js';
import { IntegrityWorker } from './integrity-worker.js';
import { VerifyEventLogHandler } from './verify-event-log.handler.js';

@Module({
  controllers: [IntegrityController],
  providers: [VerifyEventLogHandler, IntegrityWorker],
})
export class IntegrityModule {}
