import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { FindCwm, FindWm } from './find-entries.js';
import { GetJob } from './get-job.js';
import {
  EndJob,
  ForgetCwm,
  ForgetWm,
  InsertWm,
  ReferenceCwm,
  ReferenceWm,
  RunBatch,
  SetGoal,
  Tick,
  WriteEpisode,
} from './job-commands.js';
import { StartJob } from './start-job.js';

@ApiTags('jobs')
@Controller('v1/jobs')
export class JobsController extends RequestController {
  @Post()
  start(@Request() job: StartJob) {
    return this.commands.execute(job);
  }

  @Get(':seed')
  get(@Request() asked: GetJob) {
    return this.queries.execute(asked);
  }

  @Post(':seed/commands')
  batch(@Request() batch: RunBatch) {
    return this.commands.execute(batch);
  }

  @Post(':seed/wm')
  insert(@Request() entry: InsertWm) {
    return this.commands.execute(entry);
  }

  @Post(':seed/wm/find')
  findWm(@Request() asked: FindWm) {
    return this.commands.execute(asked);
  }

  @Post(':seed/cwm/find')
  findCwm(@Request() asked: FindCwm) {
    return this.commands.execute(asked);
  }

  @Post(':seed/wm/:wm_id/references')
  referenceWm(@Request() entry: ReferenceWm) {
    return this.commands.execute(entry);
  }

  @Post(':seed/cwm/:item_id/references')
  referenceCwm(@Request() item: ReferenceCwm) {
    return this.commands.execute(item);
  }

  @Delete(':seed/wm/:wm_id')
  forgetWm(@Request() entry: ForgetWm) {
    return this.commands.execute(entry);
  }

  @Delete(':seed/cwm/:item_id')
  forgetCwm(@Request() item: ForgetCwm) {
    return this.commands.execute(item);
  }

  @Post(':seed/ticks')
  tick(@Request() tick: Tick) {
    return this.commands.execute(tick);
  }

  @Post(':seed/goals')
  goal(@Request() goal: SetGoal) {
    return this.commands.execute(goal);
  }

  @Post(':seed/episodes')
  episode(@Request() episode: WriteEpisode) {
    return this.commands.execute(episode);
  }

  @Post(':seed/end')
  end(@Request() end: EndJob) {
    return this.commands.execute(end);
  }
}
