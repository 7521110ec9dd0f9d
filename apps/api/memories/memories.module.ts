import { Module } from '@nestjs/common';
import { type DueMemory, MemoriesQueries } from '#projections/memories/queries.js';
import { expiryWorker } from '../platform/expiry.js';
import type { MemoriesStore } from '../platform/stores.js';
import { MEMORIES_STORE } from '../platform/tokens.js';
import { recordHandlers } from '../replay/record-handlers.js';
import { ReplayModule } from '../replay/replay.module.js';
import { SearchModule } from '../search/search.module.js';
import { ForgetMemoryHandler } from './forget-memory.js';
import { GetMemoryHandler } from './get-memory.js';
import { ListMemoriesHandler } from './list-memories.js';
import { MemoriesAccess } from './memories-access.js';
import { MemoriesController, RememberController } from './memories.controller.js';
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
    expiryWorker({
      what: 'memory',
      store: MEMORIES_STORE,
      queries: MemoriesQueries,
      expire: (memories: MemoriesStore, { stream, id: memory_id }: DueMemory, at, identity) =>
        memories.execute(stream, [{ type: 'lapse', memory_id, at }], identity),
    }),
  ],
  exports: [MemoriesAccess],
})
export class MemoriesModule {}
