import { Module } from '@nestjs/common';
import { ChangedRows } from './changed-rows.js';
import { IntegrityVerification } from './integrity-verification.js';
import { IntegrityController } from './integrity.controller.js';
import { IntegrityWorker } from './integrity-worker.js';
import { VerifyEventLogHandler } from './verify-event-log.handler.js';

@Module({
  controllers: [IntegrityController],
  providers: [ChangedRows, IntegrityVerification, VerifyEventLogHandler, IntegrityWorker],
  exports: [ChangedRows, IntegrityVerification],
})
export class IntegrityModule {}
