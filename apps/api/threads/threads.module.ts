import { Module } from '@nestjs/common';
import { ReplayModule } from '../replay/replay.module.js';
import { CheckpointReads } from './checkpoint-reads.js';
import { DeleteThreadHandler } from './delete-thread.handler.js';
import { GetCheckpointHandler } from './get-checkpoint.handler.js';
import { ListCheckpointsHandler } from './list-checkpoints.handler.js';
import { PutCheckpointHandler } from './put-checkpoint.handler.js';
import { PutWritesHandler } from './put-writes.handler.js';
import { ThreadAccess } from './thread-access.js';
import {
  ExportThreadHandler,
  RecordedThreads,
  ReplayThreadHandler,
} from './thread-record.handlers.js';
import { ThreadValues } from './thread-values.js';
import { ThreadsController } from './threads.controller.js';

@Module({
  imports: [ReplayModule],
  controllers: [ThreadsController],
  providers: [
    ThreadAccess,
    ThreadValues,
    CheckpointReads,
    RecordedThreads,
    PutCheckpointHandler,
    PutWritesHandler,
    GetCheckpointHandler,
    ListCheckpointsHandler,
    DeleteThreadHandler,
    ExportThreadHandler,
    ReplayThreadHandler,
  ],
})
export class ThreadsModule {}
