import { Module } from '@nestjs/common';
import { ForeignStores } from './foreign-stores.js';
import { MemoryAccess } from './memory-access.js';
import { MemoryContractController } from './memory-contract.controller.js';
import { PromotionSteps } from './promotion-steps.js';
import { RecallMemoryHandler } from './recall-memory.handler.js';
import { RecordInteractionHandler } from './record-interaction.handler.js';
import { StoreReads } from './store-reads.js';

@Module({
  controllers: [MemoryContractController],
  providers: [
    MemoryAccess,
    ForeignStores,
    PromotionSteps,
    StoreReads,
    RecallMemoryHandler,
    RecordInteractionHandler,
  ],
  exports: [PromotionSteps],
})
export class MemoryContractModule {}
