import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { ListQueue } from './list-queue.js';
import { RemoveWrite } from './remove-write.js';
import { RetryWrite } from './retry-write.js';

@ApiTags('admin')
@Controller('v1/admin/queue')
export class QueueController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

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
