import { Module } from '@nestjs/common';
import { recordHandlers } from '../replay/record-handlers.js';
import { ReplayModule } from '../replay/replay.module.js';
import { SearchModule } from '../search/search.module.js';
import { ForgetMemoryHandler } from './forget-memory.js';
import { GetMemoryHandler } from './get-memory.js';
import { ListMemoriesHandler } from './list-memories.js';
import { MemoriesAccess } from './memories-access.js';
import { MemoriesController, RememberController } from './memories.controller.js';
import { MemoryExpiryWorker } from './memory-expiry-worker.js';
import { ExportMemories, ReplayMemories } from './memory-record.js';
import { RecallMemoriesHandler } from './recall.js';
import { RememberMemoryHandler } from './remember.js';
import { RewordMemoryHandler } from './reword-memory.js';
import { SealedMemories } from './sealed-memories.js';

@Module({
  imports: [ReplayModule, SearchModule],
  controllers: [RememberController, MemoriesController],
  providers: [
    MemoriesAccess,
    SealedMemories,
    RememberMemoryHandler,
    RecallMemoriesHandler,
    ListMemoriesHandler,
    GetMemoryHandler,
    RewordMemoryHandler,
    ForgetMemoryHandler,
    ...recordHandlers({
      file: 'memories',
      export: ExportMemories,
      replay: ReplayMemories,
      access: MemoriesAccess,
    }),
    MemoryExpiryWorker,
  ],
})
export class MemoriesModule {}
