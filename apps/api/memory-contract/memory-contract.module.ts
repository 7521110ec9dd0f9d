import { Module } from '@nestjs/common';
import { ForeignRetention } from './foreign-retention.js';
import { GetPhaseDiffHandler } from './get-phase-diff.handler.js';
import { GetStoreHandler } from './get-store.handler.js';
import { ListPhasesHandler } from './list-phases.handler.js';
import { ListTracesHandler } from './list-traces.handler.js';
import { MemoryAccess } from './memory-access.js';
import { MemoryContractController } from './memory-contract.controller.js';
import { MemoryStores } from './memory-stores.js';
import { PromotionSteps } from './promotion-steps.js';
import { RecallMemoryHandler } from './recall-memory.handler.js';
import { RecordInteractionHandler } from './record-interaction.handler.js';
import { StoreReads } from './store-reads.js';

@Module({
  controllers: [MemoryContractController],
  providers: [
    MemoryStores,
    MemoryAccess,
    ForeignRetention,
    PromotionSteps,
    StoreReads,
    RecallMemoryHandler,
    GetStoreHandler,
    ListPhasesHandler,
    GetPhaseDiffHandler,
    ListTracesHandler,
    RecordInteractionHandler,
  ],
  exports: [PromotionSteps],
})
export class MemoryContractModule {}
