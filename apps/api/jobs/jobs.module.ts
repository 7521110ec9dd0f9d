import { Module } from '@nestjs/common';
import { LogIntakeModule } from '../reflective-logs/log-intake.module.js';
import { FindEntriesHandler } from './find-entries.handler.js';
import { GetJobHandler } from './get-job.handler.js';
import { JobClosing } from './job-closing.js';
import { ConsentedEpisodes } from './consented-episodes.js';
import { JobGate } from './job-gate.js';
import { JobLog } from './job-log.js';
import { JobsController } from './jobs.controller.js';
import { PinnedSnapshots } from './pinned-snapshots.js';
import { RunJobOperationsHandler } from './run-job-operations.handler.js';
import { ShownJob } from './shown-job.js';
import { StartJobHandler } from './start-job.handler.js';

@Module({
  imports: [LogIntakeModule],
  controllers: [JobsController],
  providers: [
    JobClosing,
    ConsentedEpisodes,
    JobGate,
    JobLog,
    ShownJob,
    PinnedSnapshots,
    GetJobHandler,
    StartJobHandler,
    RunJobOperationsHandler,
    FindEntriesHandler,
  ],
  exports: [ConsentedEpisodes, JobClosing, PinnedSnapshots, ShownJob],
})
export class JobsModule {}
