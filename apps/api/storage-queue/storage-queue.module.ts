import { Global, Module } from '@nestjs/common';
import { REFUSED_WRITES } from '../platform/tokens.js';
import { ListQueueHandler } from './list-queue.js';
import { QueueWorker } from './queue-worker.js';
import { QueueController } from './queue.controller.js';
import { RefusedRequests } from './refused-requests.js';
import { RemoveWriteHandler } from './remove-write.js';
import { RetryWriteHandler } from './retry-write.js';
import { Replay } from './replay.js';
import { RequestSeal } from './request-seal.js';
import { StorageQueue } from './storage-queue.js';
import { SubjectWrites } from './subject-writes.js';

/** Stores writes that were refused because the log was full, and replays them later (SPEC F2). */
@Global()
@Module({
  controllers: [QueueController],
  providers: [
    StorageQueue,
    RequestSeal,
    RefusedRequests,
    { provide: REFUSED_WRITES, useExisting: RefusedRequests },
    Replay,
    QueueWorker,
    ListQueueHandler,
    RetryWriteHandler,
    RemoveWriteHandler,
    SubjectWrites,
  ],
  exports: [REFUSED_WRITES, SubjectWrites],
})
export class StorageQueueModule {}
