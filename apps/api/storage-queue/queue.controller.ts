import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Roles } from '../platform/auth/roles.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { EmptyDto } from '../platform/http/empty.dto.js';
import { QueuedWritePath, QueueQuery } from './dto/queue.dto.js';
import { QueuePageDto, RemovedWriteDto, RetriedWriteDto } from './dto/queue-view.dto.js';
import { ListQueue } from './list-queue.handler.js';
import { RemoveWrite } from './remove-write.handler.js';
import { RetryWrite } from './retry-write.handler.js';

@ApiTags('admin')
@Controller('v1/admin/queue')
export class QueueController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Roles({ all: ['admin', 'auditor'] })
  @Answers(200, QueuePageDto)
  @ApiOperation({
    summary: 'Writes refused because the log was full, in the order of their refusal (SPEC F2)',
  })
  list(@Query() page: QueueQuery) {
    return this.queries.execute(new ListQueue(page));
  }

  @Post(':id/retry')
  @Roles({ all: ['admin'] })
  @Answers(200, RetriedWriteDto)
  @Fails('NOT_FOUND', 'STORAGE_FULL')
  @ApiOperation({
    summary: 'Retry a write now; a write that a rule refuses leaves the queue (SPEC F2)',
  })
  retry(@Param() { id }: QueuedWritePath, @Body() _body: EmptyDto) {
    return this.commands.execute(new RetryWrite(id));
  }

  @Delete(':id')
  @Roles({ all: ['admin'] })
  @Answers(200, RemovedWriteDto)
  @Fails('NOT_FOUND')
  @ApiOperation({ summary: 'Remove a waiting write, which is then never written (SPEC F2)' })
  remove(@Caller() actor: Actor, @Param() { id }: QueuedWritePath) {
    return this.commands.execute(new RemoveWrite(actor, id));
  }
}
