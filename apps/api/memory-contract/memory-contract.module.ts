import { Module } from '@nestjs/common';
import { AnswerBytes } from './answer-bytes.js';
import { ForeignStores } from './foreign-stores.js';
import { GetPhaseDiffHandler, ListPhasesHandler } from './store-phases.js';
import { GetStoreHandler } from './get-store.js';
import { ListStoresHandler } from './list-stores.js';
import { ListTracesHandler } from './list-traces.js';
import { MemoryAccess } from './memory-access.js';
import { MemoryContractController } from './memory-contract.controller.js';
import { PromotionSteps } from './promotion-steps.js';
import { RecallMemoryHandler } from './recall-memory.handler.js';
import { RecordInteractionHandler } from './record-interaction.handler.js';
import { StoreReads } from './store-reads.js';

@Module({
  controllers: [MemoryContractController],
  providers: [
    AnswerBytes,
    MemoryAccess,
    ForeignStores,
    PromotionSteps,
    StoreReads,
    RecallMemoryHandler,
    ListStoresHandler,
    GetStoreHandler,
    ListPhasesHandler,
    GetPhaseDiffHandler,
    ListTracesHandler,
    RecordInteractionHandler,
  ],
  exports: [MemoryAccess, PromotionSteps],
})
export class MemoryContractModule {}
