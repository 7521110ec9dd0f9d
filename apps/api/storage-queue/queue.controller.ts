import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ListQueue } from './list-queue.js';
import { RemoveWrite } from './remove-write.js';
import { RetryWrite } from './retry-write.js';

@ApiTags('admin')
@Controller('v1/admin/queue')
export class QueueController extends RequestController {
  @Get()
  list(@Request() asked: ListQueue) {
    return this.queries.execute(asked);
  }

  @Post(':id/retry')
  retry(@Request() write: RetryWrite) {
    return this.commands.execute(write);
  }

  @Delete(':id')
  remove(@Request() write: RemoveWrite) {
    return this.commands.execute(write);
  }
}
