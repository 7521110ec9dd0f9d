import { Body, Controller, Delete, Get, Post, Put, Query, StreamableFile } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/recorded-event.js';
import { ReplayReportDto } from '../replay/dto/replay.dto.js';
import { BUNDLE_CONTENT, bundleFile } from '../replay/bundle-file.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { readersOf, Roles } from '../platform/auth/roles.js';
import { Answers, Fails } from '../platform/http/answers.decorator.js';
import { Identity, type RequestIdentity } from '../platform/http/identity.decorator.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { ReadBy, type ReadContext } from '../privacy/read-context.decorator.js';
import { DeleteThread } from './delete-thread.handler.js';
import {
  CheckpointDto,
  CheckpointsPageDto,
  ThreadChangedDto,
  ThreadDeletedDto,
} from './dto/thread-view.dto.js';
import {
  CheckpointQuery,
  ListCheckpointsDto,
  PutCheckpointDto,
  PutWritesDto,
  ReplayThreadDto,
  ThreadQuery,
  ThreadRecordQuery,
} from './dto/thread.dto.js';
import { GetCheckpoint } from './get-checkpoint.handler.js';
import { ListCheckpoints } from './list-checkpoints.handler.js';
import { PutCheckpoint } from './put-checkpoint.handler.js';
import { PutWrites } from './put-writes.handler.js';
import { ExportThread, ReplayThread } from './thread-record.handlers.js';

@ApiTags('threads')
@Controller('v1/threads')
export class ThreadsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Put('checkpoints')
  @Roles({ own: ['agent', 'user'], of: 'thread' })
  @Answers(200, ThreadChangedDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({
    summary: 'Put a checkpoint of the caller’s thread; the same one again adds nothing',
  })
  putCheckpoint(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: PutCheckpointDto,
  ) {
    return this.commands.execute(new PutCheckpoint(actor, body, identity));
  }

  @Put('writes')
  @Roles({ own: ['agent', 'user'], of: 'thread' })
  @Answers(200, ThreadChangedDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({
    summary: 'Put what a task has written after a checkpoint; the same writes again add nothing',
  })
  putWrites(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Body() body: PutWritesDto,
  ) {
    return this.commands.execute(new PutWrites(actor, body, identity));
  }

  @Get('checkpoints')
  @Roles(readersOf('thread'))
  @Answers(200, CheckpointDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED', 'INTEGRITY_FAILURE')
  @ApiOperation({
    summary: 'A checkpoint with its pending writes, now or at a version (SPEC X3)',
  })
  get(@Caller() actor: Actor, @ReadBy() context: ReadContext, @Query() asked: CheckpointQuery) {
    return this.queries.execute(new GetCheckpoint(actor, asked, context));
  }

  @Post('list')
  @ReadsFrom('threads')
  @Roles(readersOf('thread'))
  @Answers(200, CheckpointsPageDto)
  @Fails('PRIVACY_BLOCKED', 'INTEGRITY_FAILURE')
  @ApiOperation({ summary: 'Checkpoints of one thread or of all, the newest first' })
  list(@Caller() actor: Actor, @ReadBy() context: ReadContext, @Body() asked: ListCheckpointsDto) {
    return this.queries.execute(new ListCheckpoints(actor, asked, context));
  }

  @Delete()
  @ReadsFrom('threads')
  @Roles({ own: ['agent', 'user'], of: 'thread' })
  @Answers(200, ThreadDeletedDto)
  @Fails('PRIVACY_BLOCKED')
  @ApiOperation({ summary: 'Hide the caller’s thread in all its namespaces; the log keeps it' })
  delete(
    @Caller() actor: Actor,
    @Identity() identity: RequestIdentity,
    @Query() { thread_id }: ThreadQuery,
  ) {
    return this.commands.execute(new DeleteThread(actor, thread_id, identity));
  }

  @Get('bundle')
  @Roles(readersOf('thread'))
  @ApiOkResponse({ content: BUNDLE_CONTENT })
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED')
  @ApiOperation({
    summary:
      'The thread’s signed bundle as NDJSON; `mace verify` checks it offline, with the keys of /.well-known/jwks.json',
  })
  async bundle(@Caller() actor: Actor, @Query() asked: ThreadRecordQuery): Promise<StreamableFile> {
    const lines = await this.queries.execute(new ExportThread(actor, asked));
    return bundleFile('thread', lines);
  }

  @Post('replays')
  @Roles(readersOf('thread'))
  @Answers(200, ReplayReportDto)
  @Fails('NOT_FOUND', 'PRIVACY_BLOCKED', 'REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE')
  @ApiOperation({ summary: 'Replay a thread from its inputs and compare every event (SPEC X1)' })
  replay(@Caller() actor: Actor, @Body() asked: ReplayThreadDto) {
    return this.queries.execute(new ReplayThread(actor, asked));
  }
}
