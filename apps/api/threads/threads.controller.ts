import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { DeleteThread } from './delete-thread.js';
import { GetCheckpoint } from './get-checkpoint.js';
import { ListCheckpoints } from './list-checkpoints.js';
import { PutCheckpoint } from './put-checkpoint.js';
import { PutWrites } from './put-writes.js';
import { ExportThread, ReplayThread } from './thread-record.js';

@ApiTags('threads')
@Controller('v1/threads')
export class ThreadsController extends RequestController {
  @Put('checkpoints')
  putCheckpoint(@Request() put: PutCheckpoint) {
    return this.commands.execute(put);
  }

  @Put('writes')
  putWrites(@Request() put: PutWrites) {
    return this.commands.execute(put);
  }

  @Get('checkpoints')
  get(@Request() asked: GetCheckpoint) {
    return this.queries.execute(asked);
  }

  @Post('list')
  list(@Request() asked: ListCheckpoints) {
    return this.queries.execute(asked);
  }

  @Delete()
  delete(@Request() thread: DeleteThread) {
    return this.commands.execute(thread);
  }

  @Get('bundle')
  bundle(@Request() asked: ExportThread) {
    return this.queries.execute(asked);
  }

  @Post('replays')
  replay(@Request() asked: ReplayThread) {
    return this.queries.execute(asked);
  }
}
