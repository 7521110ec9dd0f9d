import { Module } from '@nestjs/common';
import { ChangedRows } from './changed-rows.js';
import { IntegrityVerification } from './integrity-verification.js';
import { IntegrityController } from './integrity.controller.js';
import { IntegrityWorker } from './integrity-worker.js';
import { ListFindingsHandler, ListRunsHandler } from './list-verifications.js';
import { VerifyEventLogHandler } from './verify-event-log.js';

@Module({
  controllers: [IntegrityController],
  providers: [
    ChangedRows,
    IntegrityVerification,
    IntegrityWorker,
    VerifyEventLogHandler,
    ListFindingsHandler,
    ListRunsHandler,
  ],
  exports: [ChangedRows, IntegrityVerification],
})
export class IntegrityModule {}
