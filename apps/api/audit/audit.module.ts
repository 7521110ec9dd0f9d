import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { ExportJobHandler } from './export-job.handler.js';
import { JobRecordController } from './job-record.controller.js';
import { ListJobEventsHandler } from './list-job-events.handler.js';
import { ListJobsHandler } from './list-jobs.handler.js';
import { PinnedSnapshotCheck } from './pinned-snapshot-check.js';
import { ReplayJobHandler } from './replay-job.handler.js';

@Module({
  imports: [JobsModule],
  controllers: [JobRecordController],
  providers: [
    PinnedSnapshotCheck,
    ListJobsHandler,
    ListJobEventsHandler,
    ExportJobHandler,
    ReplayJobHandler,
  ],
})
export class AuditModule {}
