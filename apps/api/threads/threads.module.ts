import { Module } from '@nestjs/common';
import { ReplayModule } from '../replay/replay.module.js';
import { recordHandlers } from '../replay/record-handlers.js';
import { CheckpointReads } from './checkpoint-reads.js';
import { DeleteThreadHandler } from './delete-thread.js';
import { GetCheckpointHandler } from './get-checkpoint.js';
import { ListCheckpointsHandler } from './list-checkpoints.js';
import { PutCheckpointHandler } from './put-checkpoint.js';
import { PutWritesHandler } from './put-writes.js';
import { ThreadAccess } from './thread-access.js';
import { ExportThread, RecordedThreads, ReplayThread } from './thread-record.js';
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
    ...recordHandlers({
      file: 'thread',
      export: ExportThread,
      replay: ReplayThread,
      access: RecordedThreads,
    }),
  ],
})
export class ThreadsModule {}
