import { Module } from '@nestjs/common';
import { AnswerBytes } from './answer-bytes.js';
import { ForeignStores } from './foreign-stores.js';
import { GetPhaseDiffHandler, ListPhasesHandler } from './store-phases.js';
import { GetStoreHandler } from './get-store.js';
import { ListSessionsHandler } from './list-sessions.js';
import { ListStoresHandler } from './list-stores.js';
import { ListTracesHandler } from './list-traces.js';
import { ListTurnsHandler } from './list-turns.js';
import { MemoryAccess } from './memory-access.js';
import { MemoryContractController } from './memory-contract.controller.js';
import { PastStores } from './past-stores.js';
import { PromotionSteps } from './promotion-steps.js';
import { ReadablePages } from './readable-pages.js';
import { RecallMemoryHandler } from './recall-memory.handler.js';
import { RecordInteractionHandler } from './record-interaction.handler.js';
import { StoreReads } from './store-reads.js';
import { StoreTurns } from './store-turns.js';

@Module({
  controllers: [MemoryContractController],
  providers: [
    AnswerBytes,
    MemoryAccess,
    ForeignStores,
    PastStores,
    PromotionSteps,
    ReadablePages,
    StoreReads,
    StoreTurns,
    RecallMemoryHandler,
    ListStoresHandler,
    ListSessionsHandler,
    GetStoreHandler,
    ListPhasesHandler,
    GetPhaseDiffHandler,
    ListTracesHandler,
    ListTurnsHandler,
    RecordInteractionHandler,
  ],
  exports: [MemoryAccess, PromotionSteps],
})
export class MemoryContractModule {}
