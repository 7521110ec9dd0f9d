import { Module } from '@nestjs/common';
import { LogIntakeModule } from '../reflective-logs/log-intake.module.js';
import { handlersOf } from '../platform/handlers-of.js';
import { FindCwm, FindEntriesHandler, FindWm } from './find-entries.js';
import { JOB_REQUESTS } from './job-commands.js';
import { GetJobHandler } from './get-job.js';
import { JobClosing } from './job-closing.js';
import { ConsentedEpisodes } from './consented-episodes.js';
import { JobGate } from './job-gate.js';
import { JobLog } from './job-log.js';
import { JobsController } from './jobs.controller.js';
import { PinnedSnapshots } from './pinned-snapshots.js';
import { JobRequestHandler } from './job-request.handler.js';
import { ShownJob } from './shown-job.js';
import { StartJobHandler } from './start-job.js';

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
    ...handlersOf(JobRequestHandler, ...JOB_REQUESTS),
    ...handlersOf(FindEntriesHandler, FindWm, FindCwm),
  ],
  exports: [ConsentedEpisodes, JobClosing, PinnedSnapshots, ShownJob],
})
export class JobsModule {}
