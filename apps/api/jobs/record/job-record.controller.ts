import { Controller, Get, Header, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { UNBUFFERED } from '../../events/event-stream-request.js';
import { Request } from '../../platform/http/request.js';
import { RequestController } from '../../platform/request-controller.js';
import { ExportJob } from './export-job.js';
import { GetJobState } from './get-job-state.js';
import { GetJobTimeline } from './get-job-timeline.js';
import { GetKnown } from './get-known.js';
import { ListJobs } from './list-jobs.js';
import { ReadJobEvents } from './read-job-events.js';
import { ReplayJob } from './replay-job.js';

/** The routes by which auditors read a job's events, unchanged and complete (SPEC X1, X4). */
@ApiTags('audit')
@Controller('v1/jobs')
export class JobRecordController extends RequestController {
  @Get()
  list(@Request() asked: ListJobs) {
    return this.queries.execute(asked);
  }

  @Get(':seed/events')
  @Header(...UNBUFFERED)
  events(@Request() asked: ReadJobEvents) {
    return this.queries.execute(asked);
  }

  @Get(':seed/timeline')
  timeline(@Request() asked: GetJobTimeline) {
    return this.queries.execute(asked);
  }

  @Get(':seed/states/:number')
  state(@Request() asked: GetJobState) {
    return this.queries.execute(asked);
  }

  @Get(':seed/knew')
  knew(@Request() asked: GetKnown) {
    return this.queries.execute(asked);
  }

  @Get(':seed/bundle')
  bundle(@Request() asked: ExportJob) {
    return this.queries.execute(asked);
  }

  @Post(':seed/replays')
  replay(@Request() asked: ReplayJob) {
    return this.queries.execute(asked);
  }
}
