import { Controller, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ChangeLog } from './change-log.js';
import { ListLogs } from './list-logs.js';
import { ListQuarantine } from './list-quarantine.js';
import { AmendLog, GiveFeedback, LabelLog, RequestReview, TagLog } from './log-additions.js';
import { PostLog } from './post-log.js';
import { ReadLog } from './read-log.js';
import { VerifyLogs } from './verify-logs.js';

@ApiTags('reflective-logs')
@Controller('v1/reflective-logs')
export class ReflectiveLogsController extends RequestController {
  @Post()
  post(@Request() log: PostLog) {
    return this.commands.execute(log);
  }

  @Get()
  list(@Request() asked: ListLogs) {
    return this.queries.execute(asked);
  }

  @Post('verification')
  verify(@Request() asked: VerifyLogs) {
    return this.commands.execute(asked);
  }

  @Get(':id')
  get(@Request() asked: ReadLog) {
    return this.queries.execute(asked);
  }

  @Patch(':id')
  patch(@Request() asked: ChangeLog) {
    return this.commands.execute(asked);
  }

  @Post(':id/amendments')
  amend(@Request() addition: AmendLog) {
    return this.commands.execute(addition);
  }

  @Post(':id/feedback')
  giveFeedback(@Request() addition: GiveFeedback) {
    return this.commands.execute(addition);
  }

  @Post(':id/labels')
  label(@Request() addition: LabelLog) {
    return this.commands.execute(addition);
  }

  @Post(':id/tags')
  tag(@Request() addition: TagLog) {
    return this.commands.execute(addition);
  }

  @Post(':id/reviews')
  requestReview(@Request() addition: RequestReview) {
    return this.commands.execute(addition);
  }
}

@ApiTags('reflective-logs')
@Controller('v1/quarantine')
export class QuarantineController extends RequestController {
  @Get()
  list(@Request() asked: ListQuarantine) {
    return this.queries.execute(asked);
  }
}
