import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { JobRecordController } from './job-record.controller.js';
import { PinnedSnapshotCheck } from './pinned-snapshot-check.js';
import { ReplayJobHandler } from './replay-job.handler.js';

@Module({
  imports: [JobsModule],
  controllers: [JobRecordController],
  providers: [PinnedSnapshotCheck, ReplayJobHandler],
})
export class AuditModule {}
